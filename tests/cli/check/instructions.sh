# Instructions are counted exactly: one run on each side decides, by function and event.
sed 's/^0x10 10:12 10 1 1/0x10 10:12 11 1 1/; s/^totals: 70/totals: 71/' "$TESTDATA/callgrind/derived.callgrind" >after.callgrind
set -- -q -b "$TESTDATA/callgrind/derived.callgrind" after.callgrind --format csv
status 1 profkit check "$@" --fail 'Ir(one)>0.5%' --fail 'Ir(two)>0.5%' --fail 'CEst>1%' --fail 'Bm>0'
profkit check "$@" --fail 'Ir(one)>10%' --fail 'Ir>1'
status 2 profkit check "$@" --fail 'Dr>0'
