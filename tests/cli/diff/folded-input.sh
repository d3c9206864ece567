# Samples get an interval of what sampling leaves open.
cd "$TESTDATA/diff" && profkit diff before.folded after.folded
