# Samples with times become those of perf, each counts 1: what is read again has their stacks, times and threads.
cat >run.perf <<'END'
work  4711/4712 [001]   618.653681:    1001001 cpu-clock: 
	ffffffff821f4dab clear_page_erms+0xb ([kernel.kallsyms])
	            1381 main+0x73 (/srv/work)

work  4711/4712 [002]   618.655682:    1001001 cpu-clock: 
	            1221 fib+0x29 (/srv/work)
	            1381 main+0x73 (/srv/work)

idle  4711/4713 [001]   618.654681:         77 cycles: 
	            1381 main+0x73 (/srv/work)

END
samples() {
	profkit query -q "$1" "SELECT s.time, t.tid, p.pid, s.value, pa.path FROM sample s JOIN thread t ON t.id = s.thread
		LEFT JOIN process p ON p.id = t.process JOIN path pa ON pa.node = s.node ORDER BY s.time"
	profkit query -q "$1" "SELECT n.text AS name, m.text AS module, f.kind FROM function f JOIN string n ON n.id = f.name JOIN string m ON m.id = f.module"
}
profkit convert run.perf --to perfetto -o run.pftrace
samples run.perf
samples run.pftrace
profkit convert run.perf --to perfetto -O metric=cycles -o cycles.pftrace
samples cycles.pftrace
status 2 profkit convert run.perf --to perfetto -O metric=walltime -o x.pftrace
echo '{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "name": "f"}]}' >spans.json
profkit convert spans.json --to perfetto -O metric=time -o spans.pftrace
profkit convert "$TESTDATA/speedscope/evented.speedscope.json" --to perfetto -O metric=time -o evented.pftrace

# Source files, lines and kinds of functions are kept; a thread without a number gets one.
profkit convert -q "$TESTDATA/tachyon/plain.bin" --to perfetto -o python.pftrace
for file in "$TESTDATA/tachyon/plain.bin" python.pftrace; do
	profkit query -q "$file" "SELECT n.text AS name, s.text AS file, l.line, f.kind FROM location l JOIN function f ON f.id = l.function
		JOIN string n ON n.id = f.name JOIN string s ON s.id = f.file"
done
profkit convert "$TESTDATA/cpuprofile/node.cpuprofile" --to perfetto -o js.pftrace
profkit info -q js.pftrace | grep -v file
profkit formats cpuprofile perfetto

# Libraries keep their build ids.
profkit convert -q "$TESTDATA/otlp/everything.otlp" --to perfetto -O metric=samples -o library.pftrace
profkit query -q library.pftrace 'SELECT f.text AS file, b.text AS build_id, m.start, m."limit", m.offset FROM mapping m
	JOIN string f ON f.id = m.file JOIN string b ON b.id = m.build_id'

# A thread without a number gets the one after the largest of all.
profkit merge -q run.perf "$TESTDATA/otlp/everything.otlp" -o both.db
profkit convert -q both.db --to perfetto -O metric=samples -o both.pftrace
profkit query -q both.pftrace 'SELECT p.pid, t.tid FROM thread t JOIN process p ON p.id = t.process ORDER BY 1, 2'

# Samples keep the processor and the mode that they say.
profkit convert -q "$TESTDATA/perfetto/samples.pftrace" --to perfetto -o again.pftrace
profkit query -q again.pftrace 'SELECT s.time - (SELECT min(time) FROM sample) AS time, k.text AS key, l.number, t.text FROM sample s
	JOIN label_set r ON r.id = s.labels JOIN label_set l ON l.id IN (r.id, r.rest) JOIN string k ON k.id = l.key
	LEFT JOIN string t ON t.id = l.text ORDER BY 1, 2'
