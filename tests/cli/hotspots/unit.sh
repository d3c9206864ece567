profkit hotspots --unit s -n 2 "$TESTDATA/example/before.prof"
profkit hotspots --unit MB "$TESTDATA/example/before.prof"
