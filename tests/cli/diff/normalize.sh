# Shares instead of values: then formats and units may differ.
cd "$TESTDATA/diff" && profkit diff --normalize before.prof after.folded
profkit diff --normalize --format json before.prof after.folded | grep '"scale"'
