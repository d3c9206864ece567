# What pytest-benchmark 5.3.1 prints for: compare values.json slower.json; compare --group-by=fullfunc,param --sort=fullname
# --name=short --columns=min,ops,outliers --time-unit=us values.json slower.json; and compare --csv=FILE --sort=max values.json
cd "$TESTDATA/pytest-benchmark"
profkit hotspots --like pytest-benchmark slower.json values.json
profkit hotspots --like pytest-benchmark --group-by fullfunc,param --sort fullname --names short --columns min,ops,outliers --unit us \
	values.json slower.json
profkit hotspots --like pytest-benchmark --format csv --sort max values.json
status 2 profkit hotspots --like pytest-benchmark --format json values.json
status 2 profkit hotspots --like pytest-benchmark --columns min,p50 values.json
status 2 profkit hotspots --like pytest-benchmark --group-by n values.json
status 2 profkit hotspots --like pytest-benchmark --sort iqr values.json
status 2 profkit hotspots --like pytest-benchmark --unit h values.json
status 2 profkit hotspots --columns min values.json
status 2 profkit hotspots --like pytest-benchmark ../example/before.prof
status 2 profkit hotspots --like pytest-benchmark ../pyperf/bytes.json.gz
