# Hits and time per hit of line_profiler; functions that never ran have no lines.
cd "$TESTDATA/example" || exit
profkit lines orders.lprof
