# uftrace dump --chrome: linux:schedule is waiting, unless another thread wanted the processor.
python3 - >trace.json <<'EOF' || { echo "python3 is not installed"; exit 77; }
import json
rows = []
for pid, calls in ((7, (("main", 0, 100), ("join", 10, 90), ("linux:schedule", 12, 88))),
                   (8, (("run", 12, 88), ("linux:schedule (pre-empted)", 20, 30)))):
    rows.append({"ts": 0, "ph": "M", "pid": pid, "name": "thread_name", "args": {"name": "app"}})
    rows += [{"ts": 1000 * at, "ph": phase, "pid": pid, "name": name} for name, *times in calls for phase, at in zip("BE", times)]
rows.sort(key=lambda r: r["ts"])
print(json.dumps({"traceEvents": rows}))
EOF
profkit workers trace.json | grep useful
