status 2 profkit hotspots --sort c "$TESTDATA/example/before.prof"
status 2 profkit hotspots --match "(" "$TESTDATA/example/before.prof"
profkit hotspots --match nosuchfunction "$TESTDATA/example/before.prof"
profkit hotspots --like pstats --format json "$TESTDATA/example/before.prof"
