# Benchmarks by group, largest mean first; the file without values has the same statistics, and says what it lacks.
cd "$TESTDATA/pytest-benchmark"
profkit hotspots values.json
profkit hotspots --sort name --reverse --match Tree --unit us summary.json
profkit hotspots --format csv -n 2 old.json
profkit hotspots --format json --match once values.json
status 2 profkit hotspots --sort color values.json
status 2 profkit hotspots --unit MB values.json
status 2 profkit hotspots --min-share 5 values.json
status 2 profkit hotspots --stats values.json
