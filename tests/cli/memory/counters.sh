# Counters of memory in a trace: the same names as in a timeline count as such.
cat >trace.json <<'END'
{"traceEvents": [
 {"ph": "C", "pid": 7, "ts": 10, "name": "memory of cuda:0", "args": {"used": 1200, "free": 3}},
 {"ph": "C", "pid": 7, "ts": 20, "name": "memory of cuda:0", "args": {"used": 5000, "free": 3}},
 {"ph": "C", "pid": 7, "ts": 20, "name": "memory speed", "args": {"used": 9000}},
 {"ph": "X", "pid": 7, "tid": 7, "ts": 10, "dur": 20, "name": "work"}]}
END
profkit memory --format csv trace.json
# The curve says which counter it is of.
profkit memory "$TESTDATA/torch/gpu.json" | sed -n 1,3p
