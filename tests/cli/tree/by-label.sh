cd "$TESTDATA/pprof"
profkit tree --by-label kind everything.pb.gz
status 2 profkit tree --by-label kind --by thread everything.pb.gz
status 2 profkit tree --by-label none everything.pb.gz
