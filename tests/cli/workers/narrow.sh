# On a terminal bars and names share what room there is, and lines are not broken in the middle of a word.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
cp "$TESTDATA"/workers/recorded/tail.viztracer.json.gz tail.json.gz
in_terminal 80 workers --color never tail.json.gz | tr -d '\r'
in_terminal 130 workers --color never tail.json.gz | tr -d '\r' | sed -n '3,5p'
