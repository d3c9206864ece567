# The sums of a part are those of the merged files, also of states such as memory in use, which are added up, and of metrics
# whose largest value counts.
gzip -dc "$TESTDATA/pprof/heap.pb.gz" >heap.pb
sums() {
	profkit query -q --format csv "$1" "select f.text, m.text, sum(self), sum(total), sum(calls)
		from function_total t join function on function.id = t.function join string f on f.id = function.name
		join metric on metric.id = t.metric join string m on m.id = metric.name
		group by 1, 2 having sum(self) <> 0 or sum(total) <> 0 order by 1, 2"
}
for files in "pstats/cprofile-py313.prof pstats/names.prof" "folded/names.folded folded/numbers.folded" \
	"torch/gpu.json torch/old.json" "pprof/heap.pb.gz pprof/mutex.pb.gz" "memray/all.bin memray/pairs.bin" \
	"mprof/marked.dat mprof/children.dat" "memory-profiler/calls.txt memory-profiler/recorded.txt"; do
	set -- $files
	for command in reduce merge; do
		profkit $command -q --force -o $command.db "$TESTDATA/$1" "$TESTDATA/$2"
		sums $command.db >$command.csv
	done
	cmp reduce.csv merge.csv
	wc -l <reduce.csv
done
# memory in use of two heaps: twice that of one, as go tool pprof adds them
profkit merge -q --force -o merge.db "$TESTDATA/pprof/heap.pb.gz" heap.pb
for file in heap.pb merge.db; do
	profkit query -q --format csv $file "select sum(self) from cost join metric on metric.id = metric
		join string s on s.id = metric.name where s.text = 'inuse_space'" | tail -n 1
done
# of the peaks of two processes and of the memory of a line the largest is kept, also where runs were merged before
cd "$TESTDATA"
profkit reduce -q -o "$OLDPWD/peak.db" mprof/marked.dat mprof/children.dat
profkit reduce -q -o "$OLDPWD/line.db" memory-profiler/calls.txt memory-profiler/recorded.txt memory-profiler/old.txt
profkit reduce -q -o "$OLDPWD/one.db" memory-profiler/calls.txt memory-profiler/recorded.txt
cd "$OLDPWD"
profkit hotspots peak.db | head -n 2
profkit hotspots -m memory line.db | head -n 2
profkit diff -m memory --view tree one.db line.db
status 2 profkit flamegraph -m memory --diff -o none.svg one.db line.db
# the peak of mprof is the largest, that of memray is added up: they are two metrics, in any order
set -- "$TESTDATA/mprof/marked.dat" "$TESTDATA/memray/all.bin" "$TESTDATA/mprof/children.dat" "$TESTDATA/memray/pairs.bin"
for command in reduce merge; do
	profkit $command -q --force -o $command.db "$1" "$2" "$3" "$4"
	sums $command.db | grep peak, | sort >$command.csv
done
cmp reduce.csv merge.csv
profkit merge -q --force -o merge.db "$4" "$3" "$2" "$1"
sums merge.db | grep peak, | sort | cmp - merge.csv
profkit reduce -q --force -o other.db "$4" "$3" "$2" "$1"
cmp reduce.db other.db
profkit query -q --format csv merge.db "select s.text, aggregate from metric join string s on s.id = name where s.text = 'peak' order by 2"
# they stay two where all of a profile is copied
profkit convert -q --focus re:. --force -o focus.db merge.db
profkit query -q --format csv focus.db "select s.text, aggregate from metric join string s on s.id = name where s.text = 'peak' order by 2"
# the command of two runs is that of the part if it is the same
profkit reduce -q --force -o other.db "$TESTDATA/callgrind/cache.out" "$TESTDATA/callgrind/jumps.out"
profkit query -q --format csv other.db "select text from run join string s on s.id = command"
