# Hits of lines are not calls of their function.
profkit hotspots -m increment "$TESTDATA/memory-profiler/recorded.txt"
