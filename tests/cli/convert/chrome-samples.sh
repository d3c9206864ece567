# Samples beside spans stay samples, with their places; samples alone become begins and ends.
samples() {
	profkit query -q --format csv "$1" "select s.time + $2 as time, t.tid,
	(select text from string where id = f.name) as function,
	(select text from string where id = f.file) as file, f.line, f.kind,
	(select text from string where id = m.name) as metric,
	(select text from string where id = m.unit) as unit, s.value
	from sample s join thread t on t.id = s.thread left join node n on n.id = s.node
	left join location l on l.id = n.location left join function f on f.id = l.function
	join metric m on m.id = s.metric
	where time >= $3 and time < $4 order by 1, 2, 3, 7"
}
cp "$TESTDATA/chrome/samples.json" .
profkit convert -q samples.json --to chrome -o beside.json
cat beside.json
samples samples.json 0 0 1e9 >before.csv
samples beside.json 0 0 1e9 | diff before.csv - && wc -l <before.csv
profkit convert samples.json --to chrome -o beside.json
# A part of them: what they are worth is what it was. The span is cut at 8 us, where time begins.
profkit slice -q --time 8us..20us beside.json part.json
grep -A6 '"samples"' part.json
samples samples.json 0 8000 20000 >before.csv
samples part.json 8000 0 1e9 | diff before.csv - && wc -l <before.csv
profkit slice -q --thread 9 beside.json -o part.json
profkit hotspots -q --format csv -m sampled_time part.json >part.csv
profkit hotspots -q --format csv -m sampled_time --thread 9 samples.json | diff - part.csv && cat part.csv
profkit convert "$TESTDATA/speedscope/sampled.speedscope.json" --to chrome -o alone.json
