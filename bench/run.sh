#!/bin/bash
# Times profkit beside the programs it is to replace: see README.md.
set -eu
cd "$(dirname "$0")/.."

build=build runs=3 large=no keep=
only= other=
while getopts b:p:r:k:o:lh option; do
	case $option in
	b) build=$OPTARG ;;
	p) other=$(realpath "$OPTARG") ;;
	r) runs=$OPTARG ;;
	k) keep=$OPTARG ;;
	o) only=$OPTARG ;;
	l) large=yes ;;
	*)
		echo "usage: bench/run.sh [-b BUILD] [-p PROGRAM] [-r RUNS] [-k FOLDER] [-o CASE] [-l]" >&2
		exit 2
		;;
	esac
done
build=$(cd "$build" && pwd)
make -s -C "$build" profkit bench/gen_callgrind bench/gen_folded bench/gen_memray bench/gen_perf_script bench/gen_pprof bench/gen_pstats bench/gen_pytest_benchmark bench/measure bench/rate
dir=${keep:-$(mktemp -d)}
mkdir -p "$dir"
[ "$keep" ] || trap 'rm -rf "$dir"' EXIT
profkit=$build/profkit
absent=

# have NAME TEST...: is that peer installed? Remembers those that are not.
have()
{
	local name=$1
	shift
	"$@" >/dev/null 2>&1 && return
	case "$absent" in *" $name,"*) ;; *) absent="$absent $name," ;; esac
	return 1
}

# input NAME COMMAND...: makes a file once.
input()
{
	[ -s "$dir/$1" ] || "${@:2}" >"$dir/$1"
}

# measure LABEL SHELL-COMMAND: one run; appends "seconds cpu kilobytes status" to LABEL's file.
measure()
{
	"$build/bench/measure" bash -c "exec $2" 3>>"$dir/out.$1" >"$dir/stdout" 2>"$dir/stderr" \
		</dev/null || true
}

median()
{
	sort -n "$1" | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'
}

# row CASE TOOL SECONDS CPU KILOBYTES STATUS FIRST FIRST-CPU: a line of the table. FIRST are the
# seconds of profkit, which ratios refer to; $size and $what say how much work it was.
row()
{
	awk -v name="$1" -v tool="$2" -v s="$3" -v cpu="$4" -v kb="$5" -v status="$6" -v first="$7" \
		-v first_cpu="$8" -v size="$size" -v what="$what" '
	function time(s) { return s >= 1 ? sprintf("%.2f s", s) : sprintf("%.2f ms", s * 1000) }
	function ratio(s, first) { return first && first != s ? sprintf("%.1f x", s / first) : "" }
	BEGIN {
		if (status != 0) {
			printf "%-34s %-18s failed (status %s)\n", name, tool, status
			exit
		}
		rate = size ? sprintf("%.*f %s/s", size / s / 1e6 < 100, size / s / 1e6, what) : ""
		printf "%-34s %-18s %10s %7s %10s %7s %14s %9s\n", name, tool, time(s), ratio(s, first),
			cpu ? time(cpu) : "", ratio(cpu, first_cpu), rate, kb ? sprintf("%.0f MB", kb / 1024) : ""
	}'
}

# compare CASE TOOL COMMAND [TOOL COMMAND]...: the tools take turns; medians are printed. With -p,
# the first command is run with the other program, too.
compare()
{
	local name=$1 tools=() commands=() i n first= first_cpu= seconds cpu kb status
	shift
	[[ $name == *"$only"* ]] || return 0
	while [ $# -gt 0 ]; do
		tools+=("$1")
		commands+=("$2")
		shift 2
		if [ "$other" ] && [ ${#tools[@]} = 1 ]; then
			tools+=('other program')
			commands+=("${commands[0]//"$profkit"/"$other"}")
		fi
	done
	rm -f "$dir"/out.*
	for ((n = 0; n < runs; n++)); do
		for i in "${!tools[@]}"; do
			measure "${tools[i]}" "${commands[i]}"
		done
	done
	for i in "${!tools[@]}"; do
		read -r seconds cpu kb status <<<"$(median "$dir/out.${tools[i]}")"
		first=${first:-$seconds} first_cpu=${first_cpu:-$cpu}
		row "$name" "${tools[i]}" "$seconds" "$cpu" "$kb" "$status" "$first" "$first_cpu"
		name=
	done
}

# inside CASE FILE TIMES [THREADS]: reading alone, many times in one process.
inside()
{
	local seconds best
	[[ $1 == *"$only"* ]] || return 0
	read -r seconds best size <<<"$("$build/bench/rate" "${@:2}")"
	row "$1" 'profkit, reading' "$seconds" 0 0 0 "$seconds" 0
}

bytes()
{
	stat -c %s "$1"
}

printf '%-34s %-18s %10s %7s %10s %7s %14s %9s\n' case tool 'wall time' ratio CPU ratio throughput memory
what=MB

# Folded stacks to a call tree.
for order in sorted shuffled; do
	input "$order-64k.folded" "$build/bench/gen_folded" -s 64K -p 600 -f 150 -o $order
	inside "folded 64 KB, $order" "$dir/$order-64k.folded" 2000
done
set -- 50M:30K:3000
[ $large = yes ] && set -- 50M:30K:3000 1G:300K:5000 490M:1M:5000
for which; do
	IFS=: read -r bytes paths functions <<<"$which"
	for order in sorted shuffled; do
		file=$order-$bytes-$paths.folded
		input "$file" "$build/bench/gen_folded" -s "$bytes" -p "$paths" -f "$functions" -o $order
		size=$(bytes "$dir/$file")
		peers=()
		if [ $bytes = 50M ] && have gprof2dot command -v gprof2dot; then
			peers=(gprof2dot "gprof2dot -f collapse '$dir/$file' -o '$dir/dot'")
		fi
		compare "folded $bytes, $paths paths, $order" \
			profkit "'$profkit' tree -j1 -n 10 '$dir/$file'" "${peers[@]}"
	done
done
if [ $large = no ]; then
	input 1M.folded "$build/bench/gen_folded" -p 1M -s 150M -o shuffled
	size=$(bytes "$dir/1M.folded")
	compare 'folded 150M of 1M paths, shuffled' profkit "'$profkit' tree -n 10 '$dir/1M.folded'"
fi

# Folded stacks to a picture.
before=$dir/sorted-50M-30K.folded
size=$(bytes "$before")
peers=()
if have inferno-flamegraph command -v inferno-flamegraph; then
	peers+=(inferno-flamegraph "inferno-flamegraph '$before' >'$dir/svg'")
fi
if have flamegraph.pl command -v flamegraph.pl; then
	peers+=(flamegraph.pl "flamegraph.pl '$before' >'$dir/svg'")
fi
compare 'folded 50M to SVG' profkit "'$profkit' flamegraph '$before' -o '$dir/profkit.svg'" \
	"${peers[@]}"

# Captures of memray: the peak by function, beside memray's own sums.
records=10M
[ $large = no ] || records=100M
for live in 100K 3M; do
	file=$dir/memray-$records-$live.bin
	input "${file##*/}" "$build/bench/gen_memray" -n $records -l $live
	size=$(bytes "$file")
	peers=()
	if have memray memray --version; then
		peers=('memray stats' "memray stats '$file'"
			'memray flamegraph' "memray flamegraph -f -o '$dir/html' '$file'")
	fi
	compare "memray $records records, $live live" profkit "'$profkit' hotspots '$file'" "${peers[@]}"
done

# Profiles of pprof: a million samples of few or many call paths.
for paths in 50K 1M; do
	pprof=$dir/pprof-$paths.pb
	input "${pprof##*/}" "$build/bench/gen_pprof" -n 1M -p $paths
	size=$(bytes "$pprof")
	tops=() dots=()
	if have 'go tool pprof' go version; then
		tops=(pprof "go tool pprof -top '$pprof' >'$dir/top' 2>&1")
		dots=(pprof "go tool pprof -dot '$pprof' >'$dir/dot' 2>&1")
	fi
	compare "pprof 1M samples, $paths paths" profkit "'$profkit' hotspots '$pprof'" "${tops[@]}"
	compare "pprof 1M samples, $paths paths, DOT" profkit \
		"'$profkit' callgraph '$pprof' -o '$dir/profkit.dot'" "${dots[@]}"
done

# Recordings of Python 3.15's sampler, which no released Python reads.
if have python3 python3 -c ''; then
	size=10 what='M samples'
	for repeats in 50 1; do
		[ $repeats = 1 ] && size=2
		[ -s "$dir/tachyon-$repeats.bin" ] || bench/gen_tachyon.py ${size}000000 $repeats "$dir/tachyon-$repeats.bin"
		size=${size}000000
		compare "tachyon, each stack $repeats times" profkit "'$profkit' hotspots '$dir/tachyon-$repeats.bin'"
	done
	what=MB
fi

input pprof-after.pb "$build/bench/gen_pprof" -n 1M -p 50K -r 2
size=$(($(bytes "$dir/pprof-50K.pb") + $(bytes "$dir/pprof-after.pb")))
peers=()
if have 'go tool pprof' go version; then
	peers=(pprof "go tool pprof -top -diff_base '$dir/pprof-50K.pb' '$dir/pprof-after.pb' >'$dir/top' 2>&1")
fi
compare 'pprof 2 x 1M samples, difference' profkit "'$profkit' diff '$dir/pprof-50K.pb' '$dir/pprof-after.pb'" \
	"${peers[@]}"

# Folded stacks of two sides, side by side.
"$build/bench/gen_folded" -s 50M -p 30000 -r 1 >"$dir/after.folded"
size=$(($(bytes "$before") + $(bytes "$dir/after.folded")))
peers=()
if have inferno-diff-folded command -v inferno-diff-folded; then
	peers+=(inferno-diff-folded "inferno-diff-folded '$before' '$dir/after.folded' >'$dir/both'")
fi
if have difffolded.pl command -v difffolded.pl; then
	peers+=(difffolded.pl "difffolded.pl '$before' '$dir/after.folded' >'$dir/both'")
fi
compare 'folded 2 x 50M, two columns' profkit \
	"'$profkit' diff --format folded '$before' '$dir/after.folded' -o '$dir/profkit.both'" \
	"${peers[@]}"

# perf script to a call tree, and to folded stacks: 200,000 samples, few or many call paths.
for which in 2:285K 7:1.2M; do
	IFS=: read -r detours paths <<<"$which"
	file=perf-$paths.txt
	input "$file" "$build/bench/gen_perf_script" -s 500M -d "$detours"
	size=$(bytes "$dir/$file")
	for threads in 1 2 4; do
		peers=()
		if have inferno-collapse-perf command -v inferno-collapse-perf; then
			peers+=(inferno "inferno-collapse-perf -n $threads '$dir/$file' >'$dir/folded'")
		fi
		if [ $threads = 1 ] && have stackcollapse-perf.pl command -v stackcollapse-perf.pl; then
			peers+=(stackcollapse "stackcollapse-perf.pl '$dir/$file' >'$dir/folded'")
		fi
		inside "perf script 500M, $paths paths, -j$threads" "$dir/$file" 5 $threads
		compare "perf script 500M, $paths, tree -j$threads" \
			profkit "'$profkit' tree -j$threads -n 10 '$dir/$file'"
		compare "perf script 500M, $paths, folded -j$threads" \
			profkit "'$profkit' convert -q -j$threads --to folded -O comm '$dir/$file' -o '$dir/profkit.folded'" \
			"${peers[@]}"
	done
done

# The page of a profile, beside the table of functions of the same file.
size=$(bytes "$dir/perf-285K.txt")
compare 'perf script 500M, hotspots, report' \
	hotspots "'$profkit' hotspots -q -j1 '$dir/perf-285K.txt'" \
	report "'$profkit' report -q -j1 --force '$dir/perf-285K.txt' -o '$dir/report.html'"

# Profiles of Python.
python= # the program itself: the cost of a wrapper that chooses a version is not python's
if have python3 python3 -c 'import pstats'; then
	python="$(python3 -c 'import sys; print(sys.executable)') -c"
fi
read_stats="import pstats, sys; s = pstats.Stats(sys.argv[1])"
input large.prof "$build/bench/gen_pstats"
size=$(bytes "$dir/large.prof")
peers=()
[ "$python" ] && peers+=(pstats "$python '$read_stats' '$dir/large.prof'")
if [ "$python" ] && have snakeviz $python 'import snakeviz.stats'; then
	peers+=(snakeviz "$python '$read_stats; from snakeviz.stats import *; table_rows(s)
json_stats(s)' '$dir/large.prof'")
fi
compare 'pstats 200K functions, load' profkit "'$profkit' hotspots -n 1 '$dir/large.prof'" \
	"${peers[@]}"
peers=()
[ "$python" ] && peers+=(pstats "$python '$read_stats; s.sort_stats(\"tottime\").print_stats()' \
'$dir/large.prof'")
compare 'pstats 200K functions, table' profkit \
	"'$profkit' hotspots --like pstats --sort tottime '$dir/large.prof'" "${peers[@]}"
[ -d "$dir/runs" ] || { mkdir "$dir/runs" && "$build/bench/gen_pstats" -f 1000 -e 3000 -n 1000 -o "$dir/runs"; }
peers=()
[ "$python" ] && peers+=(pstats "$python 'import glob, pstats, sys
pstats.Stats(*glob.glob(sys.argv[1] + \"/*\")).dump_stats(sys.argv[2])' '$dir/runs' '$dir/sum-python.prof'")
size=$(cat "$dir/runs"/* | wc -c)
if [ "$python" ] && have hatchet $python 'import hatchet'; then
	peers+=(hatchet "$python 'import glob, sys
from hatchet import GraphFrame
files = glob.glob(sys.argv[1] + \"/*\")
whole = GraphFrame.from_cprofile(files[0])
for file in files[1:]:
    whole = whole + GraphFrame.from_cprofile(file)' '$dir/runs'")
fi
if [ $large = yes ] && [ "$python" ] && have thicket $python 'import thicket'; then
	peers+=(thicket "$python 'import glob, sys
from thicket import Thicket
Thicket.concat_thickets([Thicket.thicketize_graphframe(Thicket.from_cprofile(f), f)
                         for f in glob.glob(sys.argv[1] + \"/*\")], axis=\"index\")' '$dir/runs'")
fi
compare 'pstats 1K runs of 1K functions, merge' profkit \
	"'$profkit' merge -q --force -o '$dir/sum.prof' '$dir/runs'" "${peers[@]}"
if [ $large = yes ]; then
	many=$dir/many-runs
	[ -d "$many" ] || { mkdir "$many" && "$build/bench/gen_pstats" -f 1000 -e 3000 -n 10000 -o "$many"; }
	size=$(find "$many" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
	compare 'pstats 10K runs of 1K functions, merge' profkit \
		"'$profkit' merge -q --force -o '$dir/sum.prof' '$many'"
	compare 'pstats 10K runs of 1K functions, reduce' profkit \
		"'$profkit' reduce -q --force -o '$dir/sum.db' '$many'"
fi
peers=()
if have gprof2dot command -v gprof2dot; then
	peers+=(gprof2dot "gprof2dot -f pstats '$dir/large.prof' -o '$dir/dot'")
fi
compare 'pstats 200K functions, call graph' profkit \
	"'$profkit' callgraph '$dir/large.prof' -o '$dir/profkit.dot'" "${peers[@]}"

# Results of benchmarks: 10,000 of 1,000 values. Of the peer, the time to parse JSON.
input benchmarks.json "$build/bench/gen_pytest_benchmark"
size=$(bytes "$dir/benchmarks.json")
peers=()
[ "$python" ] && peers=('json of python' "$python 'import json, sys; json.load(open(sys.argv[1]))' '$dir/benchmarks.json'")
compare 'pytest-benchmark 10K x 1K values' profkit "'$profkit' hotspots '$dir/benchmarks.json'" "${peers[@]}"

input large.callgrind "$build/bench/gen_callgrind" -s 100M
size=$(bytes "$dir/large.callgrind")
peers=()
if have callgrind_annotate command -v callgrind_annotate; then
	peers+=(callgrind_annotate "callgrind_annotate --auto=no '$dir/large.callgrind'")
fi
if have gprof2dot command -v gprof2dot; then
	peers+=(gprof2dot "gprof2dot -f callgrind '$dir/large.callgrind' -o '$dir/dot'")
fi
compare 'callgrind 100M, table' profkit "'$profkit' hotspots -n 100 '$dir/large.callgrind'" "${peers[@]}"

make -s -C "$build" bench/gen_torch_memory
input snapshot.pickle "$build/bench/gen_torch_memory" -n 1M
size=$(bytes "$dir/snapshot.pickle")
peers=()
[ "$python" ] && peers+=(pickle.load "$python 'import pickle, sys; pickle.load(open(sys.argv[1], \"rb\"))' \
'$dir/snapshot.pickle'")
compare 'torch memory 1M events' profkit "'$profkit' hotspots -n 1 '$dir/snapshot.pickle'" \
	"${peers[@]}"

# Exports of Nsight Systems: sums by kernel, beside the same in SQL.
if [ "$python" ]; then
	rows=2000000
	[ -s "$dir/nsys.sqlite" ] || bench/gen_nsys.py $rows "$dir/nsys.sqlite"
	peers=()
	have sqlite3 sqlite3 --version && peers=(sqlite3 "sqlite3 '$dir/nsys.sqlite' 'SELECT demangledName, count(*), \
sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY 1'")
	size=$rows what='M rows'
	compare 'nsys 2M rows' profkit "'$profkit' hotspots -n 1 '$dir/nsys.sqlite'" "${peers[@]}"
	what=MB
	[ -s "$dir/trace.xplane.pb" ] || bench/gen_xplane.py 100 "$dir/trace.xplane.pb"
	size=$(bytes "$dir/trace.xplane.pb")
	compare 'xplane 100M, 3.3M events' profkit "'$profkit' hotspots -q -j1 -n 1 '$dir/trace.xplane.pb'"
	compare 'xplane 100M, gpu' profkit "'$profkit' gpu -q -j1 '$dir/trace.xplane.pb'"
fi

"$build/bench/gen_pstats" -r 2 >"$dir/after.prof"
size=$(($(bytes "$dir/large.prof") + $(bytes "$dir/after.prof")))
compare 'pstats 2 x 200K functions, diff' profkit \
	"'$profkit' diff '$dir/large.prof' '$dir/after.prof'"

before= after=
for i in {1..20}; do
	input "run$i.prof" "$build/bench/gen_pstats" -f 20000 -e 60000 -r $i
	if [ $i -le 10 ]; then before="$before '$dir/run$i.prof'"; else after="$after '$dir/run$i.prof'"; fi
done
size=$((20 * $(bytes "$dir/run1.prof")))
compare 'pstats 10 + 10 runs of 20K, diff' profkit "'$profkit' diff -j1 $before -- $after"

input small.prof "$build/bench/gen_pstats" -f 1000 -e 3000
size=0
peers=()
[ "$python" ] && peers+=(pstats "$python '$read_stats; s.sort_stats(\"tottime\").print_stats(30)' \
'$dir/small.prof'")
compare 'pstats 1,000 functions, hotspots' profkit "'$profkit' hotspots '$dir/small.prof'" \
	"${peers[@]}"
peers=()
if have flameprof command -v flameprof; then
	peers+=(flameprof "flameprof '$dir/small.prof' -o '$dir/svg'")
fi
compare 'pstats 1,000 functions, SVG' profkit \
	"'$profkit' flamegraph '$dir/small.prof' -o '$dir/profkit.svg'" "${peers[@]}"

# speedscope files to a call tree: samples with few or many call paths, and events. Of the peer,
# parsing alone.
make -s -C "$build" bench/gen_speedscope
for which in 3K:30K 30K:170K 130K:580K events:130K; do
	IFS=: read -r stacks paths <<<"$which"
	file=$dir/$stacks.speedscope.json
	name="speedscope 200M, $paths paths"
	options=(-l -k "$stacks")
	if [ "$stacks" = events ]; then
		name='speedscope 200M of events'
		options=(-e)
	fi
	input "$stacks.speedscope.json" "$build/bench/gen_speedscope" -s 200M "${options[@]}"
	size=$(bytes "$file")
	peers=()
	if [ "$python" ] && [ "$stacks" = 3K ]; then
		peers=('json of python' "$python 'import json, sys; json.load(open(sys.argv[1]))' '$file'")
	fi
	compare "$name" profkit "'$profkit' tree -n 10 '$file'" "${peers[@]}"
done

# A CPU profile of V8 to a table of functions. Of the peer, parsing alone.
make -s -C "$build" bench/gen_cpuprofile
input v8.cpuprofile "$build/bench/gen_cpuprofile"
file=$dir/v8.cpuprofile
size=$(bytes "$file")
peers=()
if have node command -v node; then
	peers=('JSON.parse of node' "node -e 'JSON.parse(require(\"fs\").readFileSync(process.argv[1]))' '$file'")
fi
compare 'cpuprofile 210M, 500,000 nodes' profkit "'$profkit' hotspots '$file'" "${peers[@]}"

# Traces of torch.profiler to a table of functions, and to a store with all arguments. Of the peer,
# parsing alone.
make -s -C "$build" bench/gen_trace
input trace-200M.json "$build/bench/gen_trace" -s 200M
file=$dir/trace-200M.json
size=$(bytes "$file")
for threads in 1 2 4; do
	inside "trace 200M, -j$threads" "$file" 5 $threads
done
peers=()
[ "$python" ] && peers=('json of python' "$python 'import json, sys; json.load(open(sys.argv[1]))' '$file'")
if [ "$python" ] && have orjson $python 'import orjson'; then
	peers+=(orjson "$python 'import orjson, sys; orjson.loads(open(sys.argv[1], \"rb\").read())' '$file'")
fi
compare 'trace 200M, hotspots -j1' profkit "'$profkit' hotspots -q -j1 '$file'" "${peers[@]}"
compare 'trace 200M, hotspots -j2' profkit "'$profkit' hotspots -q -j2 '$file'"
compare 'trace 200M, part of it' profkit \
	"'$profkit' slice -q --force --time 100ms..300ms '$file' '$dir/profkit.part.json'"
peers=()
if [ "$python" ] && have HolisticTraceAnalysis $python 'import hta'; then
	mkdir -p "$dir/hta"
	gzip -1 <"$file" >"$dir/trace-200M.json.gz"
	peers=(HTA "$python 'import sys; from hta.trace_analysis import TraceAnalysis as A
a = A(trace_files={0: sys.argv[1]}, trace_dir=sys.argv[2])
a.get_temporal_breakdown(visualize=False); a.get_gpu_kernel_breakdown(visualize=False)' '$dir/trace-200M.json.gz' '$dir/hta'")
fi
compare 'trace 200M, gpu -j1' profkit "'$profkit' gpu -q -j1 '$file'" "${peers[@]}"
# A trace for each of 16 ranks, by one process.
ranks=$dir/ranks
mkdir -p "$ranks"
for ((i = 0; i < 16; i++)); do
	input ranks/rank$i.json "$build/bench/gen_trace" -s 20M -r $((i + 1)) -d $i
done
size=$(cat "$ranks"/*.json | wc -c)
peers=()
if [ "$python" ] && have HolisticTraceAnalysis $python 'import hta'; then
	peers=(HTA "$python 'import multiprocessing, sys
multiprocessing.cpu_count = lambda: 1
from hta.trace_analysis import TraceAnalysis as A
a = A(trace_dir=sys.argv[1])
a.get_temporal_breakdown(visualize=False); a.get_gpu_kernel_breakdown(visualize=False)' '$ranks'")
fi
compare 'traces of 16 ranks, gpu -j1' profkit "'$profkit' gpu -q -j1 '$ranks'" "${peers[@]}"
if [ $large = yes ]; then
	# All ranks as one, beside each alone.
	compare 'traces of 16 ranks, merge -j1' profkit \
		"'$profkit' merge -q -j1 --force --to folded -o '$dir/sum.folded' '$ranks'" \
		'hotspots of each' "bash -c 'for f; do \"$profkit\" hotspots -q -j1 \"\$f\"; done' - '$ranks'/*.json"
	compare 'traces of 16 ranks, reduce -j1' profkit \
		"'$profkit' reduce -q -j1 --force -o '$dir/sum.db' '$ranks'" \
		'gpu of each' "bash -c 'for f; do \"$profkit\" gpu -q -j1 \"\$f\"; done' - '$ranks'/*.json"
fi
# 6.4 GB in all, but only one rank at a time is in memory; HTA holds all of them, and would need more than most machines have.
if [ $large = yes ]; then
	ranks=$dir/ranks-64
	mkdir -p "$ranks"
	for ((i = 0; i < 64; i++)); do
		input ranks-64/rank$i.json "$build/bench/gen_trace" -s 100M -r $((i + 1)) -d $i
	done
	size=$(cat "$ranks"/*.json | wc -c)
	compare 'traces of 64 ranks of 100M, gpu -j1' profkit "'$profkit' gpu -q -j1 '$ranks'"
fi
size=$(bytes "$file")
compare 'trace 200M, critical path of all' profkit "'$profkit' gpu -q -j1 --critical-path --whole '$file'"
compare 'trace 200M, to a store' profkit "'$profkit' convert -q '$file' -o '$dir/trace.db'"
input trace-200M.pftrace "$profkit" convert -q "$file" --to perfetto -
inside 'trace 200M, as perfetto' "$dir/trace-200M.pftrace" 5
size=$(bytes "$dir/trace-200M.pftrace")
compare 'trace 200M, as perfetto, gpu -j1' profkit "'$profkit' gpu -q -j1 '$dir/trace-200M.pftrace'"

# Stores: rows of all tables. What reading costs is part of it.
input 1M.folded "$build/bench/gen_folded" -p 1M -s 150M -o shuffled
what='M rows'
size=0
if [ "$python" ] && have "python's sqlite3" $python 'import sqlite3'; then
	"$profkit" convert -q "$dir/1M.folded" -o "$dir/count.db"
	size=$($python 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
tables = [t for t, in db.execute("select name from sqlite_master where type = ?", ("table",))]
print(sum(db.execute(f"select count(*) from \"{t}\"").fetchone()[0] for t in tables))' "$dir/count.db")
fi
compare 'store 1M paths, read and save' profkit \
	"'$profkit' convert -q '$dir/1M.folded' -o '$dir/out.db'" \
	'(reading alone)' "'$profkit' info '$dir/1M.folded'"
if [ -s "$dir/out.(reading alone)" ] && [ "$size" != 0 ]; then
	read -r both rest <<<"$(median "$dir/out.profkit")"
	read -r reading rest <<<"$(median "$dir/out.(reading alone)")"
	awk -v a="$both" -v b="$reading" -v rows="$size" 'BEGIN {
		if (a > b)
			printf "%-34s %-18s %10s %26s %7.1f M rows/s\n", "store, the difference", "",
				sprintf("%.0f ms", (a - b) * 1000), "", rows / (a - b) / 1e6
	}'
fi

# A store of 100,000 runs, 1 GB.
if [ $large = yes ] && [ "$python" ]; then
	store=$dir/runs-100k.db
	one=$dir/one-run.folded
	[ -s "$store" ] || bench/gen_store.py "$profkit" 100000 "$store"
	"$profkit" convert -q "$store@50" "$one"
	size=0
	compare 'store 100K runs, add one' profkit "'$profkit' store add -q '$store' '$one'"
	compare 'store 100K runs, history' profkit "'$profkit' history -q '$store'"
	compare 'store 100K runs, check of 20' profkit "'$profkit' check -q --fail 'total>1000%' \
--baseline '$store@last=20' '$one'"
	compare 'store 100K runs, list' profkit "'$profkit' store list '$store'"
	compare 'store 100K runs, keep 1K' profkit "bash -c 'cp \"\$2\" \"\$3\" && \"\$1\" store prune -q --keep 1000 \"\$3\"' \
- '$profkit' '$store' '$dir/pruned.db'" 'cp alone' "cp '$store' '$dir/pruned.db'"
	compare 'store 100K runs, merge' profkit "bash -c 'rm -f \"\$2\" && \"\$1\" store merge -q \"\$2\" \"\$3\"' \
- '$profkit' '$dir/merged.db' '$store'"
	rm -f "$dir/pruned.db" "$dir/merged.db"
fi

# The JSON tokenizer alone, beside libraries whose headers are installed: their best
# of five, and the median of profkit.
tokens()
{
	local seconds rest
	read -r seconds rest <<<"$("${@:3}" "$dir/trace.json" 2>/dev/null)" || return 0
	[ "$seconds" ] && row "$1" "$2" "$seconds" 0 0 0 "${first:=$seconds}" 0
}
if [[ 'JSON tokens' == *"$only"* ]]; then
	make -s -C "$build" bench/json_tokens
	input trace.json "$build/bench/json_tokens" -g 100000000
	what=MB first=
	size=$(bytes "$dir/trace.json")
	tokens 'JSON tokens' profkit "$build/bench/json_tokens"
	if have yajl cc -O2 bench/json_yajl.c -o "$dir/json_yajl" -lyajl; then
		tokens '' yajl "$dir/json_yajl"
	fi
	if have simdjson c++ -O2 -std=c++17 bench/json_simdjson.cc -o "$dir/json_simdjson" -lsimdjson; then
		tokens '' simdjson "$dir/json_simdjson"
	fi
fi

[ "$absent" ] && echo "not installed:${absent%,}"
exit 0
