# Several runs a side: what is real, with the speed of the machine taken out.
cd "$TESTDATA/diff" && profkit diff --fail-on regressed run-a?.prof -- run-b?.prof
