cd "$TESTDATA/pprof"
profkit hotspots --by-label kind everything.pb.gz
profkit hotspots --by-label bytes everything.pb.gz
profkit hotspots --label kind=io --label 'thread_id=^7$' everything.pb.gz
profkit hotspots --label bytes=4096 everything.pb.gz
profkit hotspots --label kind=none everything.pb.gz
status 2 profkit hotspots --label kind everything.pb.gz
status 2 profkit hotspots --label 'kind=(' everything.pb.gz
status 2 profkit hotspots --by-label none everything.pb.gz
profkit hotspots --by-label allocator -m allocated ../memray/all.bin
