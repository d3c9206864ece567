# Results of benchmarks of different machines: times are at most suspect, allocations are as certain as ever; that the machines
# differ may be a failure, or nothing; a reference benchmark says how fast each machine is.
before=$TESTDATA/go-bench/text.txt
sed 's/^cpu: .*/cpu: Another CPU @ 2.00GHz/' "$TESTDATA"/go-bench/slow.txt >after.txt
status 1 profkit check -b "$before" after.txt
profkit check -q -b "$before" after.txt --fail 'time>2%' --format csv
status 1 profkit check -q -b "$before" after.txt --fail 'time>200000%' --same-machine fail --report github -o report.txt
status 1 profkit check -q -b "$before" after.txt --fail 'time>2%' --same-machine ignore --format csv
status 1 profkit check -b "$before" after.txt --fail 'time>2%' --calibrate Join/n=10-2
profkit diff "$before" after.txt | head -3
status 2 profkit check -b "$before" after.txt --calibrate nothing
status 2 profkit check -b "$before" after.txt --calibrate Upper-2
status 2 profkit check -b "$TESTDATA"/pytest-benchmark/summary.json "$TESTDATA"/pytest-benchmark/slower.json --calibrate test_work
status 2 profkit check -b "$TESTDATA"/folded/blanks.folded "$TESTDATA"/folded/blanks.folded --calibrate test_work
for i in {1..16}; do echo "BenchmarkRising 100 ${i}00 ns/op"; done | tee rising.txt >rising-again.txt
status 2 profkit check -b rising.txt rising-again.txt --calibrate Rising
profkit diff --calibrate Join/n=10-2 "$before" after.txt
status 2 profkit diff --calibrate nothing "$before" after.txt
