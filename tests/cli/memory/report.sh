# Of the memory of a whole process the largest counts, not the sum over lines.
profkit memory "$TESTDATA/memory-profiler/recorded.txt"
