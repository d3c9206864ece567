# Two metrics are two events of each line. A built-in function is in the file "~", as Python's profiler has it.
cp "$TESTDATA"/pprof/cpu.pb.gz "$TESTDATA"/pstats/cprofile-py313.prof .
profkit convert -q --to callgrind cpu.pb.gz -
profkit convert -q --to callgrind cprofile-py313.prof - | grep -A 3 '~'
