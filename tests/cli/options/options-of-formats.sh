cd "$TESTDATA/example" || exit
profkit info -O nonsense=1 before.prof
profkit info -f nonsense before.prof
profkit info -f folded before.prof
profkit info -O nonsense orders.folded
