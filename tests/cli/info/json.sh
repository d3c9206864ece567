cd "$TESTDATA/example" && profkit info --format json before.prof
