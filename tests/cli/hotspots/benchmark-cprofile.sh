# The functions that --benchmark-cprofile kept of a benchmark are a profile of their own.
cd "$TESTDATA/pytest-benchmark"
profkit hotspots -O cprofile=test_work profiled.json
status 2 profkit hotspots -O cprofile=work profiled.json
status 2 profkit hotspots -O cprofile=work values.json
