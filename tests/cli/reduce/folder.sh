# A folder with a large file among small ones, files that are no profiles, and one that cannot be read: the largest is read
# first, so that no thread is left with it at the end; others are named. Runs whose clocks begin at different times.
mkdir runs
for i in 1 2 3; do
	echo "main;f $i" >runs/$i.folded
done
seq 3000 | sed 's/.*/main;large;f& &/' >runs/large.folded
echo 'How these were recorded' >runs/NOTES
head -c 900 "$TESTDATA/example/before.prof" >runs/cut.prof
profkit reduce -o sum.db runs
profkit hotspots sum.db | head -n 2
profkit reduce -q -o four.db runs/[1-3].folded runs/large.folded
cmp sum.db four.db
trace() {
	echo "{\"baseTimeNanoseconds\": $2, \"traceEvents\": [{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": $3, \"dur\": 10, \"name\": \"f\"}]}" >$1.json
}
trace first 1000000000 5
trace second 1000100000 7
trace unknown 0 5
for pair in "first second" "second first" "first unknown"; do
	profkit reduce -q --force -o clocks.db ${pair% *}.json ${pair#* }.json
	profkit query -q --format csv clocks.db "select start, duration from run" | tail -n 1
done
profkit query -q --format csv clocks.db "select text, start, duration from member join string on string.id = member.name"
# the order of reading: of two broken files, the larger one, whose name is the last, is the one that --strict stops at
mkdir broken
head -c 900 "$TESTDATA/example/before.prof" >broken/a.prof
head -c 1500 "$TESTDATA/example/before.prof" >broken/z.prof
status 2 profkit reduce --strict -j 1 -o none.db broken
