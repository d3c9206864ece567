profkit hotspots -n 2 --format json "$TESTDATA/example/before.prof"
