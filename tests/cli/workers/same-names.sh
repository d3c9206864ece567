# Names have a number once, and tell threads of several processes apart.
names() { profkit workers -q --format json "$@" | grep -o '"name": "[^"]*"'; }
names "$TESTDATA/perfetto/heap.pftrace"
names --by stream "$TESTDATA/torch/gpu.json"
names --by thread "$TESTDATA/torch/gpu.json"
