# What becomes of the columns of runs: the newest torch's rules hold, ranks that differ are none, the window is the first's.
trace() {
	cat <<-END
	{"schemaVersion": 1, "deviceProperties": [], "baseTimeNanoseconds": $2, $4 "distributedInfo": {"rank": $1}, "traceEvents": [
	 {"ph": "M", "name": "process_labels", "pid": $3, "tid": 0, "ts": 0, "args": {"labels": "CPU $1"}},
	 {"ph": "X", "cat": "Trace", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1, "dur": 90, "name": "PyTorch Profiler (0)"},
	 {"ph": "X", "cat": "cpu_op", "pid": $3, "tid": $3, "ts": 5, "dur": 10, "name": "aten::mm"}]}
	END
}
trace 0 1700000000000200000 7 '' >late.json
trace 1 1700000000000000000 8 '"trace_id": "A", "with_flops": 1, ' >early.json
profkit merge -q -t chrome -o both.json late.json early.json
profkit merge -q -o both.db late.json early.json
profkit query -q --format csv both.db "select rank, with_flops, profile_memory from run"
profkit query -q --format csv both.db "select pid, rank from process where pid > 0 order by 1"
for file in both.json both.db; do
	profkit query -q --format csv $file "select window, window_duration, torch from run"
	profkit query -q --format csv $file "select pid, text from process p join string s on s.run = p.run and s.id = labels"
done
grep '"cat":"Trace"' both.json | cut -c 1-90
