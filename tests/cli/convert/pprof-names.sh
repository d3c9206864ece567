# pprof takes names in <...> for arguments of C++ if they are the linker's names, too: none is written, and all are shown.
profkit convert -q "$TESTDATA/example/before.prof" before.pprof
profkit hotspots --like pprof -n 8 --nodefraction 0 before.pprof
profkit hotspots --like pprof -n 0 --nodefraction 0 before.pprof >read
profkit hotspots --like pprof -n 0 --nodefraction 0 "$TESTDATA/example/before.prof" | cmp - read
# Names without the linker's are names for others, too.
profkit convert -q --to folded -O like=stackcollapse-perf before.pprof - | tail -n 1
# Functions that are named after their library keep it.
cat >run.perf <<'PERF'
app 7 1.000000: 250000 cpu-clock:
	    7f0000003a39 [unknown] (/usr/lib/libgcc_s.so.1)
	    7f0000102719 [unknown] (/usr/lib/libstdc++.so.6)
	    55000000113d main (/srv/app)

app 7 1.000250: 250000 cpu-clock:
	    7f0000102719 [unknown] ([unknown])
	    55000000113d main (/srv/app)

PERF
profkit convert -q run.perf run.pb
profkit hotspots --like pprof run.perf
profkit hotspots --like pprof run.pb | tail -n +3
