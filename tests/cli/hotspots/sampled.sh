profkit hotspots "$TESTDATA/example/orders.folded"
