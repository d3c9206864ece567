cd "$TESTDATA/pprof"
profkit flamegraph --by-label worker cpu.pb.gz -o - | grep -o '<title>\(worker\|no worker\)[^<]*'
status 2 profkit flamegraph --by-label worker --chart cpu.pb.gz -o -
