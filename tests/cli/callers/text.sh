profkit callers randrange "$TESTDATA/example/before.prof"
