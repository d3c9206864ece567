cd "$TESTDATA/example" && profkit info -v before.prof -o /dev/null
