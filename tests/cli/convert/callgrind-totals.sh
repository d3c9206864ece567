# callgrind has costs of functions and of calls; totals that are not their sum are lost, and that is said.
printf 'main;a;b;a;c 5\nmain;a 1\nmain;d;d 2\n' >x.folded
profkit convert x.folded x.callgrind
profkit convert "$TESTDATA/example/before.prof" before.callgrind
# Of a callgrind file nothing is lost, nor without recursion; times may be rounded by 1 ns each.
profkit convert before.callgrind again.callgrind
profkit convert "$TESTDATA/pprof/cpu.pb.gz" cpu.callgrind
printf 'main;a;b 5\nmain;a 1\n' >y.folded
profkit convert y.folded y.callgrind
