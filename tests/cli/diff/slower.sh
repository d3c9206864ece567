# One function takes longer: of two single runs that is a suspicion.
cd "$TESTDATA/diff" && profkit diff before.prof slower.prof
