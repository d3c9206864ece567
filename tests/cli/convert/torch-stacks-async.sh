# Spans that end on another thread have no time on the processor.
cat >a.json <<'TRACE'
{"schemaVersion": 1, "with_stack": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "a.py(3): main", "pid": 1, "tid": 1, "ts": 0, "dur": 90},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 10, "dur": 7,
 "args": {"Call stack": "a.py(3): main;"}},
{"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 1, "tid": 1, "ts": 40, "dur": 9,
 "args": {"Call stack": "a.py(3): main;"}}]}
TRACE
profkit convert -q --to torch-stacks a.json -
