profkit tree "$TESTDATA/example/orders.folded"
