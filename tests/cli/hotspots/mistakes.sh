status 2 profkit hotspots --sort c "$TESTDATA/example/before.prof"
status 2 profkit hotspots --match "(" "$TESTDATA/example/before.prof"
profkit hotspots --match nosuchfunction "$TESTDATA/example/before.prof"
status 2 profkit hotspots --like pstats --format json "$TESTDATA/example/before.prof"
# Standard input can be read only once.
status 2 profkit hotspots - - < "$TESTDATA/example/before.prof"
status 2 profkit diff - - < "$TESTDATA/example/before.prof"
# A file whose name begins with '-'.
cp "$TESTDATA/example/before.prof" ./-dash.prof
cp "$TESTDATA/example/before.prof" ./--dash.prof
status 2 profkit hotspots -dash.prof
status 2 profkit hotspots --dash.prof
profkit hotspots -q -n 1 ./-dash.prof | head -1
