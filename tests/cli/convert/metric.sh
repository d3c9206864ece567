# One metric out of several; options of names as stackcollapse-perf.pl has them.
cat >x.perf <<'END'
two words 10/11 [000] 1.000001: 5 cycles:
	    7f0000001204 f+0x1 (/srv/a)
	    7f0000001221 [unknown] (/usr/lib/libc.so.6)

two words 10/11 [000] 1.000002: 3 faults:
	ffffffff81001204 page_fault+0x1 ([kernel.kallsyms])
	    7f0000001221 Lfoo/Bar;::run (/tmp/perf-10.map)

END
profkit convert -t folded x.perf -
profkit convert -t folded -m faults x.perf -
profkit convert -t json -m faults x.perf - | status 1 grep -c -e cycles -e '"f"'
profkit merge -t folded -m 2 -o - x.perf x.perf
profkit merge -t folded -m 2 -o - x.perf
status 2 profkit convert -t folded -m nosuch x.perf -
for option in pid tid kernel jit all addrs event-filter=faults; do
	profkit convert -q -t folded -m faults -O comm -O $option x.perf -
done
profkit convert -q -t folded -O addrs x.perf -
# Spans keep their call paths, whatever the metric.
profkit convert -q -m cycles "$TESTDATA/chrome/samples.json" spans.db
profkit query -q --format csv spans.db 'select count(*) as spans from span join node on node.id = span.node'
# What is known of the metric stays known.
printf '# austin: 3.7.0\n# interval: 100\n# mode: full\nP1;T0:1;app.py:main:1 100,0,400\n' >full.austin
for metric in wall cpu; do
    profkit convert -q -m $metric full.austin -o $metric.db
    profkit query -q --format csv $metric.db 'select period, kind from metric' | tail -n 1
done
