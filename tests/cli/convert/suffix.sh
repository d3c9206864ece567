# The suffix chooses the format; parts that cannot be kept are named.
cp "$TESTDATA/example/before.prof" .
for out in a.json a.folded a.txt a.dot a.gv a.svg a.csv a.db a.sqlite; do
    profkit convert before.prof $out || echo "$out: $?"
done
ls
head -c 30 a.json
profkit info a.db --format csv | grep format
