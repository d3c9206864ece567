# Where the largest value counts, as memory while a line ran, others would add up the values: convert says so, and there is neither a call graph nor an output of pprof.
cp "$TESTDATA/memory-profiler/recorded.txt" m.txt
for to in pprof folded json csv; do
	profkit convert --to $to m.txt x.out --force
done
profkit convert -m increment --to pprof m.txt x.out --force
status 2 profkit callgraph m.txt
status 2 profkit callgraph --diff m.txt m.txt
for like in "hotspots --like pprof" "tree --like pprof-tree" "callgraph --like pprof"; do
	status 2 profkit $like m.txt
done
profkit callgraph -m increment m.txt | grep -c tooltip=
