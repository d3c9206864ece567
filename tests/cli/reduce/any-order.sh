# Parts have the same bytes in whatever order and groups runs are added, for profiles with callers, with
# call paths, with several metrics, and with states; and added once if they come twice.
[ -z "${SANITIZE-}" ] || { echo "takes long with sanitizers"; exit 77; }
families="pstats/cprofile-py313.prof:pstats/integer-times.prof:pstats/names.prof:pstats/plain-v0.prof
	folded/fractions.folded:folded/names.folded:folded/numbers.folded:folded/threads.folded
	pprof/cpu.pb.gz:pprof/mutex.pb.gz:pprof/heap.pb.gz:pprof/units.pprof
	torch/old.json:torch/gpu.json:torch/overhead.json:torch/critical.json
	memray/all.bin:memray/pairs.bin:memray/sums.bin
	line-profiler/fine-unit.lprof:line-profiler/odd.lprof:line-profiler/version5.lprof
	memory-profiler/calls.txt:memory-profiler/old.txt:memory-profiler/recorded.txt"
for family in $families; do
	set -- $(echo "$family" | tr : ' ')
	number=0
	for file; do
		number=$((number + 1))
		cp "$TESTDATA/$file" in$number
		profkit reduce -q --force -o $number.db in$number
	done
	all=$(seq $number)
	profkit reduce -q --force -o all.db $(for i in $all; do echo in$i; done)
	profkit merge -q --force -o backwards.db $(for i in $all; do echo $i.db; done | sort -r)
	profkit merge -q --force -o left.db 2.db 1.db
	profkit merge -q --force -o left.db left.db 3.db 1.db
	profkit merge -q --force -o right.db $(for i in $all; do [ $i -le 3 ] || echo $i.db; done) 3.db
	profkit merge -q --force -o both.db $(for i in $all; do [ $i -le 3 ] || echo $i.db; done) left.db
	for other in backwards both; do
		cmp all.db $other.db || echo "$family: $other"
	done
	profkit hotspots -q --format csv all.db | wc -l
done
