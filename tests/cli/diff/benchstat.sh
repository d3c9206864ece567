# What benchstat prints: two sides, one, three, sides of several files, CSV with its remarks, other formats.
cd "$TESTDATA/go-bench" || exit
profkit diff --like benchstat text.txt slow.txt
echo == one
profkit diff --like benchstat -m time verbose.txt
echo == three, one of them twice
profkit diff --like benchstat -m bytes text.txt slow.txt text.txt
echo == two files against one
profkit diff --like benchstat -m words/op text.txt slow.txt -- verbose.txt
echo == some
profkit diff --like benchstat -m allocs --match '^Join/n=10-' text.txt slow.txt
echo == odd
profkit diff -q --like benchstat --alpha 0.001 --confidence 0.5 odd.txt text.txt
echo == CSV
profkit diff --like benchstat --format csv -m time odd.txt events.jsonl
status 2 profkit diff --like benchstat text.txt "$TESTDATA/example/orders.folded"
status 2 profkit diff --like benchstat --format json text.txt slow.txt
status 2 profkit diff --like benchstat --alpha 2 text.txt slow.txt
status 2 profkit diff --like benchstat --confidence -1 text.txt slow.txt
status 2 profkit diff --like benchstat --fail-on regressed text.txt slow.txt
status 2 profkit diff --like benchstat --match '(' text.txt slow.txt
status 2 profkit diff --like benchstat --match nothing text.txt slow.txt
status 2 profkit diff --like benchstat -m cycles text.txt slow.txt
status 2 profkit diff --like benchstat
