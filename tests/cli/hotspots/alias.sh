profkit top -n 1 --format csv "$TESTDATA/example/before.prof"
