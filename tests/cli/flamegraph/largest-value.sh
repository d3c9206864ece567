# What each line found the process to have is no sum: boxes would be wider than the picture. What lines added is one.
status 2 profkit flamegraph "$TESTDATA/memory-profiler/recorded.txt" -o m.svg
profkit flamegraph -m increment "$TESTDATA/memory-profiler/recorded.txt" -o i.svg
profkit flamegraph "$TESTDATA/mprof/marked.dat" -o p.svg
profkit "$TESTDATA/memory-profiler/recorded.txt" | grep -c flamegraph || true
