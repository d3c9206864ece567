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
