# Two counts a line are before and after, kept as two columns; one of them can be chosen.
profkit convert --to folded "$TESTDATA/folded/two-columns.folded" -
profkit convert --to folded -O metric=after "$TESTDATA/folded/two-columns.folded" -
profkit convert --to folded -O fractions "$TESTDATA/folded/two-columns.folded" -
profkit convert --to folded -O columns=1 "$TESTDATA/folded/two-columns.folded" -
