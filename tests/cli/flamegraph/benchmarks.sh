# Results of benchmarks are no call paths.
for command in flamegraph tree callgraph callers lines workers memory timeline ops; do
	status 2 profkit $command "$TESTDATA/pytest-benchmark/values.json"
done
status 2 profkit tree "$TESTDATA/pytest-benchmark/values.json" "$TESTDATA/pytest-benchmark/slower.json"
