profkit callers random_range "$TESTDATA/example/before.prof"
profkit callers "(" "$TESTDATA/example/before.prof"
profkit callers
