cd "$TESTDATA/pprof"
profkit flamegraph --by-label worker cpu.pb.gz -o - | grep -o '<title>\(worker\|no worker\)[^<]*'
status 2 profkit flamegraph --by-label worker --chart cpu.pb.gz -o -
# The same in other words.
[ "$(profkit flamegraph --by label:worker cpu.pb.gz -o -)" = "$(profkit flamegraph --by-label worker cpu.pb.gz -o -)" ] && echo same
status 2 profkit flamegraph --by name:worker cpu.pb.gz -o -
