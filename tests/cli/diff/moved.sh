# Cost that moved into a new function is no news.
cd "$TESTDATA/diff" && profkit diff --fail-on suspect before.prof moved.prof
