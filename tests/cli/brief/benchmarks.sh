# Benchmarks are rows with statistics.
cd "$TESTDATA/pytest-benchmark"
profkit brief values.json
