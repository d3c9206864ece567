# Called twice as often: who does it is said.
cd "$TESTDATA/diff" && profkit diff before.prof often.prof && profkit diff -m calls before.prof often.prof
