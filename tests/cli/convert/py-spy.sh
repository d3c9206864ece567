# py-spy's raw files come back as they were, but for outer processes; others become such files.
# What differs: one thread has one name, one process stands alone, lines below 1 are none.
for case in plain threads processes native; do
	profkit convert -q -t py-spy "$TESTDATA/py-spy/$case.raw.txt" $case.raw
	profkit convert -q -t py-spy $case.raw - | cmp - $case.raw
	sort "$TESTDATA/py-spy/$case.raw.txt" | diff - <(sort $case.raw) || [ $case != plain ]
done
profkit convert -q -t py-spy "$TESTDATA/perf-script/default.perf" -
# A program of another language has a line in each frame, too, and comes back with its files; names with a place in some frames
# stay names.
profkit convert -q -t py-spy -m cpu "$TESTDATA/pprof/cpu-before.pb.gz" go.raw
profkit info -q go.raw | grep '^format\|^times\|source files'
profkit convert -q -t py-spy go.raw - | cmp - go.raw
profkit hotspots -q -n 2 --format csv go.raw | cut -d , -f 1-4,8
printf 'main;work (a.c:3);rest;end 4\nmain;end 2\n' >names.txt
profkit info -q names.txt | grep '^format'
