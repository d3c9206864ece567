# The file has 68 functions, 19 of them with something in its first metric: as many as hotspots says.
profkit hotspots -n 1 "$TESTDATA/pprof/heap.pb.gz" | grep -o '[0-9][0-9]* functions'
profkit callgraph "$TESTDATA/pprof/heap.pb.gz" | grep -o '[0-9]* of [0-9]* functions\|left out: [^\\"]*'
