# Both call trees as one, down to what changed.
cd "$TESTDATA/diff" || exit
profkit diff --view tree before.prof slower.prof
profkit diff --view tree before.folded after.folded
profkit diff --view tree --min-share 10 -n 2 before.folded after.folded
profkit diff --view tree before.prof elsewhere.prof
profkit diff --view tree --format csv -n 3 run-a?.prof -- run-b?.prof
profkit diff --view tree --format json -n 1 before.folded after.folded
profkit diff --view tree before.prof other.prof 2>&1 || echo "status $?"
