# Siblings in the order of their names; limits keep what costs most.
profkit tree --sort name --format csv "$TESTDATA/example/orders.folded" | cut -d, -f1-4,9-12
