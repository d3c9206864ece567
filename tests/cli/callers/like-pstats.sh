profkit callers --like pstats price_of "$TESTDATA/example/before.prof"
