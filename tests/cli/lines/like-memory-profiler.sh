profkit lines --like memory_profiler "$TESTDATA/memory-profiler/calls.txt"
profkit lines --like memory_profiler "$TESTDATA/scalene/old.json"
