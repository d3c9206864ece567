cd "$TESTDATA/diff" && profkit diff --format markdown before.prof slower.prof
