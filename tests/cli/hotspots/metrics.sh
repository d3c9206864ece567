# Of sizes and their numbers, the sizes are shown, although fewer functions have one.
cat >memory.speedscope.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "load"}, {"name": "parse"}]},
 "profiles": [
  {"type": "sampled", "name": "Memory", "unit": "bytes", "startValue": 0, "endValue": 4096,
   "samples": [[0]], "weights": [4096]},
  {"type": "sampled", "name": "Allocations", "unit": "none", "startValue": 0, "endValue": 3,
   "samples": [[0], [1]], "weights": [1, 2]}]}
END
profkit hotspots memory.speedscope.json
profkit hotspots -n 1 -m allocations "$TESTDATA/memray/all.bin"
