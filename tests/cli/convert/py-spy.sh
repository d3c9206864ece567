# py-spy's raw files come back as they were, but for outer processes; others become such files.
# What differs: one thread has one name, one process stands alone, lines below 1 are none.
for case in plain threads processes native; do
	profkit convert -q -t py-spy "$TESTDATA/py-spy/$case.raw.txt" $case.raw
	profkit convert -q -t py-spy $case.raw - | cmp - $case.raw
	sort "$TESTDATA/py-spy/$case.raw.txt" | diff - <(sort $case.raw) || [ $case != plain ]
done
profkit convert -q -t py-spy "$TESTDATA/perf-script/default.perf" -
