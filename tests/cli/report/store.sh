# The runs of a store name files, which may be any: only files of the command line are opened and summed up.
printf 'main;work 30\n' >a.folded
profkit store add -q s.db a.folded
for page in "a.folded" "s.db" "a.folded s.db"; do
	profkit report --no-sandbox $page | grep -o '<footer>.*</footer>' | sed 's/profkit [0-9.]*/profkit VERSION/'
done
# Runs of one file did the same work again: no balance of workers. Several files may be of processes that shared it.
printf '{"profkit": "baseline","version":1,"runs":2,"metrics":[{"name":"time","unit":"ns","kind":"time","exactness":"exact"}]}\n' >two.baseline
printf '{"function":"work","file":"a.c","line":9,"calls":1,"self":[100, 200]}\n' >>two.baseline
sed 's/30/60/' a.folded >b.folded
profkit summary two.baseline | head -1
# Files are counted, not their runs.
for name in 2 3 4; do cp two.baseline $name.baseline; done
profkit summary two.baseline {2,3,4}.baseline | head -1
for page in two.baseline "a.folded b.folded" "2.baseline 3.baseline"; do
	profkit report --no-sandbox $page | grep -o '^<title>.*</title>\|"view":"workers"'
done
