# Of benchmarks, the summary tells of the machine, and proposes what can be done with them; of two files there are the values of both.
cd "$TESTDATA/pytest-benchmark"
profkit values.json
profkit slower.json summary.json
