profkit tree --format json --depth 3 --min-share 5 "$TESTDATA/example/orders.folded"
