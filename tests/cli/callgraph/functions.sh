# The file has 68 functions, 19 of them with something in its first metric: as many as hotspots says.
profkit hotspots -n 1 "$TESTDATA/pprof/heap.pb.gz" | grep -o '[0-9][0-9]* functions'
profkit callgraph "$TESTDATA/pprof/heap.pb.gz" | grep -o '[0-9]* of [0-9]* functions\|left out: [^\\"]*'
# Callers of which nothing else is known are in no table: the graph draws them beside the functions that it counts, if they have an arrow.
for file in pstats/ghost-caller.prof gprof/odd.txt gmon/calls.gmon; do
    echo "$file"
    profkit hotspots -q -n 1 "$TESTDATA/$file" | grep -o '[0-9][0-9]* functions*'
    profkit callgraph -q "$TESTDATA/$file" | grep -o '[0-9]* of [0-9]* functions\|[0-9]* more without[^\\"]*\|left out: [^\\"]*'
    profkit info -q "$TESTDATA/$file" | grep '^functions'
done
profkit callgraph -q "$TESTDATA/pstats/ghost-caller.prof" | grep -c '^	[0-9]* \['
profkit callgraph -q --edge-thres 50 "$TESTDATA/pstats/ghost-caller.prof" | grep -c '^	[0-9]* \['
profkit callgraph -q --edge-thres 50 --node-thres 0 "$TESTDATA/pstats/ghost-caller.prof" | grep -c '^	[0-9]* \['
