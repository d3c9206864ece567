# The curve, and what marked functions added; the peaks of processes.
profkit memory "$TESTDATA/mprof/marked.dat"
profkit memory "$TESTDATA/mprof/children.dat"
