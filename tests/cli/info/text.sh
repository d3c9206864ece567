cd "$TESTDATA/example" && profkit info before.prof
