cd "$TESTDATA/diff" && profkit diff before.prof renamed.prof
profkit diff --map price=price_of_row before.prof renamed.prof
profkit diff --map 're:^(pri)ce$=$1ce_of_row' before.prof renamed.prof
