# The total of a metric whose largest value counts is that value, as the summary says.
profkit store add -q s.db "$TESTDATA/memory-profiler/recorded.txt"
profkit store list --format csv s.db | cut -d, -f 2-8
profkit "$TESTDATA/memory-profiler/recorded.txt" | head -1
