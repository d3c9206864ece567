cd "$TESTDATA/pprof"
export TZ=UTC
profkit tree --like pprof-tree everything.pb.gz
profkit tree --like pprof-peek --match demo everything.pb.gz
status 2 profkit tree --like pprof-peek --match none everything.pb.gz
status 2 profkit tree --like pprof-peek --match '(' everything.pb.gz
status 2 profkit tree --match main everything.pb.gz
status 2 profkit tree --like pprof-tree --by-label kind everything.pb.gz
profkit tree --like pprof-traces --granularity address everything.pb.gz
profkit tree --like pprof-traces --no-inlines --ignore-label kind=io --label thread_id=:9 everything.pb.gz
status 2 profkit tree --like pprof-traces --ignore-label "kind=(" everything.pb.gz
profkit tree --granularity address -n 4 everything.pb.gz
profkit hotspots --no-inlines everything.pb.gz
