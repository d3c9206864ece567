# No moment in files that do not know every allocation; no memory at all.
status 2 profkit memory --at 1s "$TESTDATA/mprof/marked.dat"
status 2 profkit memory --between 1s..2s "$TESTDATA/mprof/marked.dat"
status 2 profkit memory --at 1s --between 1s..2s "$TESTDATA/mprof/marked.dat"
status 2 profkit memory "$TESTDATA/folded/annotations.folded"
status 2 profkit memory "$TESTDATA/torch-memory/protocol4.pickle" -- "$TESTDATA/torch-memory/history-cut.pickle"
