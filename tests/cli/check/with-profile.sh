# A store keeps profiles beside results of benchmarks, under the same label: what became slower in them is named where a
# benchmark is slower. Profiles given beside the results do as well.
add() { profkit store add -q runs.db "$TESTDATA/go-bench/$1" --label "$2" --with "$TESTDATA/example/$3"; }
add text.txt main before.prof
add slow.txt head after.prof
profkit store list runs.db
status 1 profkit check -b runs.db@main runs.db@head --fail 'time(Join/*)>2%' --format csv
status 1 profkit check -b "$TESTDATA/go-bench/text.txt" -b "$TESTDATA/example/before.prof" "$TESTDATA/go-bench/slow.txt" \
    "$TESTDATA/example/after.prof" --fail 'time(Join/*)>2%' --format csv
profkit check -b runs.db@head runs.db@main --fail 'time(Join/*)>2%' --format csv
status 2 profkit store add runs.db "$TESTDATA/go-bench/text.txt" --with missing.prof
