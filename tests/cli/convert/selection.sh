# What to look at is chosen before writing.
profkit convert --focus parse "$TESTDATA/example/orders.folded" out.folded
cat out.folded
profkit convert --hide random --show orders --to folded "$TESTDATA/example/orders.folded" -
