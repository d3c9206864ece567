# The memory that memory_profiler found is the largest of a function, and no part of a whole: there are no shares of it.
file=$TESTDATA/memory-profiler/recorded.txt
profkit hotspots "$file"
profkit hotspots --limit 1 "$file"
profkit hotspots --format csv --limit 1 "$file"
profkit tree --limit 2 "$file"
profkit callers . "$file"
profkit summary "$file" | sed '/^to see more/,$d'
profkit brief "$file"
# What they added is a sum.
profkit hotspots -m increment "$TESTDATA/memory-profiler/calls.txt"
