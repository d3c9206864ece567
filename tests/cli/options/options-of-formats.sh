cd "$TESTDATA/example" || exit
status 2 profkit info -O nonsense=1 before.prof
status 2 profkit info -f nonsense before.prof
status 2 profkit info -f folded before.prof
profkit info -O nonsense orders.folded
