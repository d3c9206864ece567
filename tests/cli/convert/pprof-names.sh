# pprof takes names in <...> for arguments of C++ if they are the linker's names, too: none is written, and all are shown.
profkit convert -q "$TESTDATA/example/before.prof" before.pprof
profkit hotspots --like pprof -n 8 --nodefraction 0 before.pprof
profkit hotspots --like pprof -n 0 --nodefraction 0 before.pprof >read
profkit hotspots --like pprof -n 0 --nodefraction 0 "$TESTDATA/example/before.prof" | cmp - read
# Names without the linker's are names for others, too.
profkit convert -q --to folded -O like=stackcollapse-perf before.pprof - | tail -n 1
