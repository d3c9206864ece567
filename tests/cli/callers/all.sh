profkit callers -n 4 "$TESTDATA/example/before.prof"
