profkit query "$TESTDATA/example/before.prof" .tables
profkit query "$TESTDATA/example/before.prof" '.schema cost'
profkit query "$TESTDATA/example/before.prof" '.schema function'
status 2 profkit query "$TESTDATA/example/before.prof" '.schema nothing'
profkit query "$TESTDATA/example/before.prof" .nothing
