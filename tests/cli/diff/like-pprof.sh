cd "$TESTDATA/pprof"
export TZ=UTC
profkit diff --like pprof cpu-before.pb.gz cpu.pb.gz
profkit diff --like pprof-base --sort total -n 3 cpu-before.pb.gz cpu.pb.gz
status 2 profkit diff --like pprof --granularity module cpu-before.pb.gz cpu.pb.gz
status 2 profkit diff --like pprof -m none cpu-before.pb.gz cpu.pb.gz
status 2 profkit diff --like pprof --match main cpu-before.pb.gz cpu.pb.gz
profkit diff --like pprof --normalize -n 3 cpu-before.pb.gz cpu.pb.gz
status 2 profkit diff --like benchstat --normalize cpu-before.pb.gz cpu.pb.gz
status 2 profkit diff --like pprof --machine cpu-before.pb.gz cpu.pb.gz
