# Memory in use is what other formats show first, too, though more was allocated in more places.
for to in pprof speedscope gecko; do
	profkit convert -q --to $to "$TESTDATA/memray/all.bin" out.$to
	profkit hotspots -n 1 out.$to
done
