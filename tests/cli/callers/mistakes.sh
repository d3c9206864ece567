status 2 profkit callers random_range "$TESTDATA/example/before.prof"
status 2 profkit callers "(" "$TESTDATA/example/before.prof"
status 2 profkit callers --like pprof "$TESTDATA/example/before.prof"
profkit callers
