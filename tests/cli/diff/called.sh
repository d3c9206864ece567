# One call more is found, however little it costs.
cd "$TESTDATA/diff" && profkit diff -m calls --fail-on regressed called-before.prof called.prof
