cd "$TESTDATA/diff" && profkit diff --format json before.prof slower.prof
profkit diff --format json -m calls --limit 1 run-a1.prof run-a2.prof -- run-b1.prof
