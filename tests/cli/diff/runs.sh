# Several runs a side: what is real, as measured, with the causes of totals, and with the speed of
# the machine taken out.
cd "$TESTDATA/diff" || exit
profkit diff --measure total run-a?.prof -- run-b?.prof
profkit diff --machine run-a?.prof -- run-b?.prof
profkit diff --fail-on regressed run-a?.prof -- run-b?.prof
