# Options go to the output if it knows the key, else to the input.
cd "$TESTDATA/example" || exit
profkit convert -O root=parse -O limit=2 --to dot before.prof - 2>&1 | grep -c label
status 2 profkit convert -O nonsense=1 --to dot before.prof -
status 2 profkit convert -O limit=many --to dot before.prof -
profkit convert -O legend --to dot before.prof - >/dev/null
profkit convert -O name=samples --to csv orders.folded - | head -n 2
