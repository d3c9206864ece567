# Shares instead of values: then formats and units may differ.
cd "$TESTDATA/diff" && profkit diff --normalize before.prof after.folded
