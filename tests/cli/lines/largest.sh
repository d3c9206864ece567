# The memory that memory_profiler found is the largest of a line, and no part of a whole: no line is hot by it. What it
# added is a sum.
profkit lines "$TESTDATA/memory-profiler/calls.txt" fill
profkit lines -m increment "$TESTDATA/memory-profiler/calls.txt" fill
