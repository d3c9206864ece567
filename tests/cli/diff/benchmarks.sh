# Results of benchmarks: intervals of each, the geometric mean of all, several files of a side, new and gone ones, a rate, which is
# worse if it is less.
cd "$TESTDATA"
profkit diff go-bench/text.txt go-bench/slow.txt
profkit diff go-bench/text.txt go-bench/slow.txt -m bytes --format csv
profkit diff pytest-benchmark/values.json pytest-benchmark/slower.json -- pytest-benchmark/slower.json
profkit diff pytest-benchmark/profiled.json pytest-benchmark/values.json --no-changed
profkit diff go-bench/text.txt go-bench/slow.txt --format json | head -30
echo == only those that changed by a share of what they were
for share in 10 50; do profkit diff -q go-bench/text.txt go-bench/slow.txt --min-share $share --format csv | cut -d, -f 1,8; done
status 2 profkit diff go-bench/text.txt go-bench/slow.txt --view tree
status 2 profkit diff go-bench/text.txt go-bench/slow.txt --normalize
