# A profile of memory begins with the peak, or with what is alive in a snapshot.
profkit "$TESTDATA/mprof/marked.dat"
profkit "$TESTDATA/tracemalloc/protocol4.pickle"
