profkit tree --bottom-up -n 8 "$TESTDATA/example/orders.folded"
