# The profiler's own time, which torch puts into a process of its own, is no worker.
profkit workers -q --format csv "$TESTDATA/torch/overhead.json" | cut -d, -f1-3
