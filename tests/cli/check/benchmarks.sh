# Results of benchmarks: slower ones, ones that few values cannot decide, allocations that are the same in each run of a side and so
# certain, rules by name, group and metric, summaries, and metrics without a whole.
profkit check -b x.baseline --update-baseline "$TESTDATA"/go-bench/text.txt
profkit check -b x.baseline --update-baseline "$TESTDATA"/go-bench/text.txt "$TESTDATA"/go-bench/text.txt
status 1 profkit check -q -b x.baseline "$TESTDATA"/go-bench/slow.txt --fail 'time(Join/n=1000-2)>2%'
status 2 profkit check -b x.baseline "$TESTDATA"/go-bench/text.txt --ratchet
cd "$TESTDATA"
status 1 profkit check -b go-bench/text.txt go-bench/slow.txt
status 1 profkit check -b go-bench/text.txt go-bench/slow.txt --fail 'time(Join/*)>3%' --fail 'allocs>0' --fail 'total>5%' \
    --fail 'bytes(Join/n=10-2)>1KB' --format csv
status 1 profkit check -b pytest-benchmark/values.json pytest-benchmark/slower.json --fail 'time(group:parse)>3%' --report junit
profkit check -b pytest-benchmark/values.json pytest-benchmark/slower.json --ignore group:parse --format csv
profkit check -b pytest-benchmark/summary.json pytest-benchmark/slower.json
status 3 profkit check -b pytest-benchmark/summary.json pytest-benchmark/slower.json --fail-on inconclusive -q --format csv
status 2 profkit check -b go-bench/text.txt go-bench/slow.txt --fail 'total>5ms'
status 2 profkit check -b go-bench/text.txt go-bench/slow.txt --fail 'time(Nothing*)>5%'
status 2 profkit check -b go-bench/text.txt go-bench/slow.txt --fail 'time(group:nothing)>5%'
status 2 profkit check -b go-bench/text.txt folded/blanks.folded
