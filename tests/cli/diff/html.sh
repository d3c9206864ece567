cd "$TESTDATA/diff" && profkit diff --format html -n 2 before.prof slower.prof
