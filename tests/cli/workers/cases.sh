# Figures worked out by hand in testdata/workers/SOURCE; the worst comes first.
for name in equal one_long one_does_all late long_task chunks; do
    echo "== $name"
    profkit workers -q "$TESTDATA/workers/$name.json"
done
echo == for scripts
profkit workers -q --format csv "$TESTDATA/workers/one_long.json"
profkit workers -q --format json "$TESTDATA/workers/chunks.json"
