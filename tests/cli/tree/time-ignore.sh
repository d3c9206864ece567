# The time of stacks that are left out goes to nothing, with a window of time, too; that of frames that are hidden goes to their caller.
cat >spans.json <<'EOF'
[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 100, "cat": "a", "name": "main"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "dur": 30, "cat": "a", "name": "wait"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 30, "dur": 10, "cat": "b", "name": "poll"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 60, "dur": 10, "cat": "b", "name": "work"}]
EOF
profkit tree --ignore wait spans.json
profkit tree --ignore wait --time 0%..100% spans.json
profkit tree --ignore wait --time 45us.. spans.json
profkit tree --hide wait --time 45us.. spans.json
# Of events that are chosen, the time of others is theirs, but not that of a stack that is left out.
profkit tree --category a spans.json
profkit tree --category a --ignore poll spans.json
