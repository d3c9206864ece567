# Four functions wait for 650 of 1,000 ms; the three longest are named, the longest first.
cat >waits.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": [{"type": "sampled", "name": "t", "unit": "milliseconds",
"startValue": 0, "endValue": 1000, "samples": [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]], "weights": [100, 300, 50, 200, 350]}],
"shared": {"frames": [{"name": "main"}, {"name": "acquire", "file": "/usr/lib/python3.11/threading.py"},
{"name": "select", "file": "/usr/lib/python3.11/selectors.py"}, {"name": "join", "file": "/usr/lib/python3.11/threading.py"},
{"name": "wait", "file": "/usr/lib/python3.11/threading.py"}, {"name": "work"}]}}
END
profkit brief -q waits.json | grep waiting
