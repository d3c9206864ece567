cd "$TESTDATA/diff" && profkit diff before.prof faster.prof
