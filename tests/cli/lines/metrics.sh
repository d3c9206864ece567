# Several metrics side by side: the first one orders functions; lines that have much of another one are there, too.
profkit lines -n 1 --context 0 -m time,native,system,allocated "$TESTDATA/scalene/old.json"
profkit lines --format csv -m time,allocated,copied,gpu "$TESTDATA/scalene/old.json"
profkit lines -m memory,increment,hits "$TESTDATA/memory-profiler/calls.txt" fill
profkit lines --context 0 -n 1 -m time,hits,time "$TESTDATA/example/orders.lprof"
status 2 profkit lines -m time, "$TESTDATA/example/orders.lprof"
status 2 profkit lines -m hits,hits,hits,hits,hits,hits,hits,hits,hits,time "$TESTDATA/example/orders.lprof"
status 2 profkit lines -m time,hits "$TESTDATA/example/orders.lprof" -- "$TESTDATA/example/orders.lprof"
