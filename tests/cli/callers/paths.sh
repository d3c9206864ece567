profkit callers randrange "$TESTDATA/example/orders.folded"
