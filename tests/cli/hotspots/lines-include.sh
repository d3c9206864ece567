# The time of a line by line_profiler includes the functions that it calls: these are no self times and do not add up,
# which tables say, and none says how much faster the whole could be. Nor of waits, which Go adds up over goroutines.
profkit hotspots "$TESTDATA/line-profiler/kernprof.lprof"
profkit tree "$TESTDATA/line-profiler/kernprof.lprof" | head -n 1
profkit hotspots -m hits "$TESTDATA/line-profiler/kernprof.lprof" | head -n 1
printf -- '--- contention:\ncycles/second=1000000000\n700 3 @ 0x1 0x2\n300 1 @ 0x1 0x3\n' >block.txt
profkit hotspots block.txt
