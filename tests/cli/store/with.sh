# Of a store that has profiles beside results of benchmarks, a command takes the kind that it shows; --run chooses. Both are not added.
profkit store add -q runs.db "$TESTDATA/go-bench/text.txt" --label main --with "$TESTDATA/example/before.prof"
profkit hotspots -q --limit 1 runs.db
profkit hotspots -q --limit 1 --run 2 runs.db
profkit callers -q --limit 1 price_of runs.db@main
profkit diff -q --limit 1 runs.db "$TESTDATA/go-bench/slow.txt"
profkit history runs.db
status 2 profkit tree --run 1 runs.db
status 2 profkit hotspots "$TESTDATA/go-bench/text.txt" "$TESTDATA/example/before.prof"
status 2 profkit merge "$TESTDATA/example/before.prof" "$TESTDATA/go-bench/text.txt" -o both.db
