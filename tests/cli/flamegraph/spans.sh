# A chart of spans: in their places in time, with gaps; threads one after the other.
cat >x.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
 "profiles": [
  {"type": "evented", "name": "one", "unit": "milliseconds", "startValue": 0, "endValue": 100,
   "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 10},
              {"type": "C", "frame": 1, "at": 20}, {"type": "O", "frame": 1, "at": 30},
              {"type": "C", "frame": 1, "at": 50}, {"type": "C", "frame": 0, "at": 60},
              {"type": "O", "frame": 0, "at": 80}, {"type": "C", "frame": 0, "at": 100}]},
  {"type": "evented", "name": "two", "unit": "milliseconds", "startValue": 50, "endValue": 100,
   "events": [{"type": "O", "frame": 1, "at": 50}, {"type": "C", "frame": 1, "at": 100}]}]}
END
boxes() {
	grep -oE '<title>[^<]*|<rect x="[^"]*" width="[^"]*" y="[0-9]+"'
}
profkit flamegraph --chart --thread one x.json | boxes
profkit flamegraph --chart x.json -o x.svg
boxes <x.svg
profkit flamegraph --chart --thread one --time 25ms..90ms --minwidth 10% x.json | boxes
# The times of a GPU are not those of the host: a chart of either has its spans alone.
cat >gpu.json <<'END'
{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "name": "host"},
{"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 4, "dur": 30, "name": "k", "args": {"stream": 7, "device": 0}}]}
END
for metric in time gpu_time; do
	profkit flamegraph --chart -m $metric gpu.json | boxes
done
