profkit memory --format json "$TESTDATA/mprof/marked.dat"
profkit memory -m increment --by function -n 1 --format csv "$TESTDATA/mprof/marked.dat"
