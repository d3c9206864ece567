profkit tree -n 6 "$TESTDATA/example/before.prof"
profkit tree -n 3 --bottom-up --format csv "$TESTDATA/example/before.prof"
