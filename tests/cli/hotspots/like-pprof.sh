cd "$TESTDATA/pprof"
export TZ=UTC
profkit hotspots --like pprof everything.pb.gz
profkit hotspots --like pprof --sort total -m samples --granularity line -n 3 everything.pb.gz
profkit hotspots --like pprof --focus demo --label kind=. --unit us everything.pb.gz
profkit hotspots --like pprof --granularity file --nodefraction 0 ../example/orders.raw.txt
status 2 profkit hotspots --like pprof --granularity module cpu.pb.gz
status 2 profkit hotspots --like pprof --sort name cpu.pb.gz
status 2 profkit hotspots --like pprof --format json cpu.pb.gz
status 2 profkit hotspots --like pprof -n 10% cpu.pb.gz
status 2 profkit hotspots --like pprof --by-label kind everything.pb.gz
status 2 profkit hotspots --like callgrind_annotate --match main cpu.pb.gz
status 2 profkit hotspots --like pprof --strip-dirs cpu.pb.gz
status 2 profkit hotspots --like pprof --inclusive cpu.pb.gz
