cd "$TESTDATA/diff" && profkit diff before.prof gone.prof
