# Totals that changed because of a callee are not several alarms.
cd "$TESTDATA/diff" && profkit diff --measure total --fail-on suspect before.prof slower.prof
