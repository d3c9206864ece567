# Stacks, drawn and read again, are the same.
cd "$TESTDATA/example" || exit
profkit flamegraph -q --minwidth 0 orders.folded -o "$OLDPWD/flame.svg"
cd "$OLDPWD" || exit
profkit convert flame.svg flame.folded
profkit convert -q --to folded "$TESTDATA/example/orders.folded" - | diff - flame.folded
profkit info flame.svg | grep -v ^file
