# Of benchmarks, a run is the geometric mean of those that all runs have: one of four is 1.25 times as slow, and 1.25^(1/4) is 1.057.
cd "$TESTDATA/pytest-benchmark"
profkit store add "$OLDPWD/bench.db" values.json slower.json odd.json 2> /dev/null
cd "$OLDPWD"
profkit history bench.db 2> /dev/null
profkit history bench.db 'test_parse[10-a,b]' 2> /dev/null
profkit history bench.db 'test_find' 2> /dev/null
status 2 profkit history bench.db test_none 2> error
tail -n 1 error
status 2 profkit history -q bench.db --measure calls 2> error
tail -n 1 error
