profkit tree --fold-library -n 8 --sort name "$TESTDATA/example/before.prof"
