# What libraries do counts for the function of the program that called them; outside of the program, for the outermost library.
cat >stacks.folded <<'EOF'
run (/usr/lib/python3.11/runpy.py:1) 2
run (/usr/lib/python3.11/runpy.py:1);main (/app/main.py:3) 3
run (/usr/lib/python3.11/runpy.py:1);main (/app/main.py:3);get (/x/site-packages/http/api.py:7);send (/x/site-packages/http/wire.py:9) 10
run (/usr/lib/python3.11/runpy.py:1);main (/app/main.py:3);get (/x/site-packages/http/api.py:7);done (/app/main.py:20) 4
run (/usr/lib/python3.11/runpy.py:1);main (/app/main.py:3);get (/x/site-packages/http/api.py:7);done (/app/main.py:20);dumps (/usr/lib/python3.11/json.py:5) 1
boot (/usr/lib/python3.11/threading.py:9);run (/usr/lib/python3.11/threading.py:12) 6
boot (/usr/lib/python3.11/threading.py:9);run (/usr/lib/python3.11/threading.py:12);work (/app/main.py:30) 7
idle (/usr/lib/python3.11/select.py:2) 0
load (/usr/lib/python3.11/importlib.py:4);main (/app/main.py:3) 9
EOF
profkit tree --only-my-code stacks.folded
echo
profkit hotspots --only-my-code --format csv stacks.folded | cut -d, -f1,8,9
echo
profkit tree --only-my-code --hide '^main$' stacks.folded
echo
# Callers without call paths
profkit tree --only-my-code "$TESTDATA/example/before.prof"
echo
# Spans, of which the window has a part
cat >spans.json <<'EOF'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 100, "cat": "FEE", "name": "boot (/usr/lib/python3.11/runpy.py:1)"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 80, "cat": "FEE", "name": "main (/app/main.py:1)"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "dur": 10, "cat": "FEE", "name": "dumps (/usr/lib/python3.11/json.py:1)"}
], "viztracer_metadata": {"version": "0.16.0"}}
EOF
profkit tree --only-my-code --time 5us.. spans.json
