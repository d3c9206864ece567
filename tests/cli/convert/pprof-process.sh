# Processes and threads become labels.
cp "$TESTDATA"/workers/recorded/good.perf.txt.gz .
profkit convert -q good.perf.txt.gz good.pb
for key in process thread; do
	profkit hotspots -n 2 --by-label $key good.pb
done
