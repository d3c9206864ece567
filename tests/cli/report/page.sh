# The page is the same each time, goes to a file or to a pipe, and says what it is of.
cp "$TESTDATA/example/before.prof" .
profkit report before.prof -o a.html
profkit report before.prof >b.html
cmp a.html b.html
grep -o '^<title>.*</title>' a.html
grep -o '<footer>.*</footer>' a.html | sed 's/profkit [0-9.]*/profkit VERSION/'
grep -o '<h1>.*</h1>' a.html
grep -c '<tr>' a.html
grep -o 'script-src [^;]*' a.html | sed 's/sha256-[^=]*=/HASH/'
status 2 profkit report missing.prof -o c.html
status 2 profkit report before.prof -o before.prof
profkit report "$TESTDATA/hyperfine/single.json" | grep -o '"view":"[a-z]*"' | sort -u
# a recording that ends before its first event has no metric, and no paths
head -c 104 "$TESTDATA/perfetto/tracks.pftrace" >begin.pftrace
profkit report -q begin.pftrace | grep -o '^<title>.*</title>'
rm begin.pftrace
status 2 profkit report --max-size 10K before.prof -o c.html
ls
