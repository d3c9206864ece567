#!/bin/sh
# Writes odd.json, old.json, profiled.json and bad/, which asv did not: ./make.sh
cat > old.json <<'JSON'
{"commit_hash": "0123abcd", "date": 1500000000000, "params": {"arch": "x86_64", "cpu": "generic", "machine": "box", "os": "Linux", "ram": "8"},
 "profiles": {}, "python": "3.6", "requirements": {"numpy": "1.14"}, "started_at": {"a.time_x": 1500000000001},
 "results": {"a.time_x": 1.5e-3, "a.time_failed": null, "a.mem_y": {"result": [8, 16], "params": [["1", "2"]]},
  "a.time_z": {"result": [0.25, null], "params": [["1", "2"]], "stats": [{"ci_99": [0.1, 0.3], "q_25": 0.2, "q_75": 0.3,
   "min": 0.1, "max": 0.4, "mean": 0.26, "std": 0.01, "n": 3, "number": 5, "repeat": 3}, null]},
  "a.timeraw_w": {"result": [0.25], "params": [], "samples": [[0.2, 0.25, 0.3]], "stats": [{"number": 2, "repeat": 3}]}},
 "version": 1}
JSON
cat > odd.json <<'JSON'
{"version": 2, "commit_hash": "9", "env_name": "e\u00e9", "env_vars": {"A B": "c"}, "requirements": {"x": ""}, "python": "/usr/bin/python3",
 "params": {"machine": "box", "num_cpu": 2, "more": [1]}, "result_columns": ["result", "params", "unknown", "samples", "stats_number"],
 "results": {"time_series.Suite.track_a": [[1, 2, 3], [["1", "2"]]], "b.time_few": [[0.5], [["1"], ["2"]], {"a": []}, [[1, 2, null]], [3]],
  "b.time_none": [], "b.time_list": [[], [[]]], "b.time_text": ["x", 7, 7, 7, 7, 7], "b.time_more": [[1.5, 2.5], [[1, 2]], 0, [[0.5], [1e999, 4]]],
  "b.time_last": [0.125, null]}}
JSON
printf '{"commit_hash": "9", "env_name": "e", "result_columns": ["result"], "results": {"b.time_a": [[null]]}}\n' > bad/all-failed.json
printf '{"commit_hash": "9", "env_name": "e", "result_columns": ["result"], "results": {"b.time_a": [[1.5]], "b.time_b": [[2.5' > bad/cut.json
# The column "profile" as asv run --profile fills it: what cProfile writes, by zlib and base64.
cat > work.py <<'PY'
def parse(text):
    return [item.strip() for item in text.split(",")]


def time_parse():
    for _ in range(3):
        parse("a, b, c")
PY
python3 - <<'PY'
import base64, cProfile, json, zlib
import work
profile = cProfile.Profile()
profile.runcall(work.time_parse)
profile.dump_stats("profile.tmp")
with open("profile.tmp", "rb") as file:
    text = base64.b64encode(zlib.compress(file.read())).decode()
with open("profiled.json", "w") as file:
    json.dump({"commit_hash": "9", "env_name": "e", "env_vars": {}, "params": {"machine": "box"}, "python": "3.11",
               "requirements": {}, "result_columns": ["result", "params", "profile"],
               "results": {"work.time_none": [[0.5], []], "work.time_parse": [[2e-6], [], text]}, "version": 2}, file)
    file.write("\n")
PY
rm -rf work.py profile.tmp __pycache__
