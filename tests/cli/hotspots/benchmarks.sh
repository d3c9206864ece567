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
# Benchmarks by name: in the file they have another order.
printf 'BenchmarkB 100 10 ns/op\nBenchmarkC 100 20 ns/op\nBenchmarkA 100 30 ns/op\n' |
    profkit hotspots -q -f go-bench --sort name --format csv - | cut -d, -f1
