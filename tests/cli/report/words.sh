# The words of the page say what times of lines are, as summary does; further metrics are chosen in the page, not by -m.
profkit report -q "$TESTDATA/line-profiler/kernprof.lprof" | grep -o '"words":\[[^]]*\]'
