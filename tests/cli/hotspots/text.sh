profkit hotspots -n 6 "$TESTDATA/example/before.prof"
