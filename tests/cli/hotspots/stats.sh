# Of b: 3 us and 1.25 us. The median of two is the smaller one (nearest rank).
profkit hotspots --stats "$TESTDATA/speedscope/evented.speedscope.json"
profkit hotspots --stats --sort max --format csv "$TESTDATA/speedscope/evented.speedscope.json"
profkit hotspots --stats --sort stddev --reverse --time 0..7us --format csv \
    "$TESTDATA/speedscope/evented.speedscope.json"
profkit hotspots --stats "$TESTDATA/example/before.prof"
