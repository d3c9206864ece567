# Recordings of XLA: a GPU has streams; of a TPU the line "XLA Ops" is the work.
profkit gpu $TESTDATA/xplane/gpu.xplane.pb
profkit gpu --view copies $TESTDATA/xplane/gpu.xplane.pb
profkit gpu $TESTDATA/xplane/tpu.xplane.pb
profkit gpu --view kernels $TESTDATA/xplane/tpu.xplane.pb

# Steps of StepTraceAnnotation on the host
cat >jax.json <<'EOF'
{"displayTimeUnit": "ns", "metadata": {"highres-ticks": true}, "traceEvents": [
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
{"ph": "M", "pid": 1, "tid": 14, "name": "thread_name", "args": {"name": "Stream #14(Compute)"}},
{"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
{"ph": "X", "pid": 701, "tid": 1, "ts": 0, "dur": 100, "name": "train", "args": {"step_num": "3"}},
{"ph": "X", "pid": 701, "tid": 1, "ts": 100, "dur": 100, "name": "train", "args": {"step_num": "4"}},
{"ph": "X", "pid": 1, "tid": 14, "ts": 10, "dur": 50, "name": "fusion", "args": {"hlo_op": "fusion.1", "hlo_module": "jit_step"}},
{"ph": "X", "pid": 1, "tid": 14, "ts": 110, "dur": 70, "name": "fusion", "args": {"hlo_op": "fusion.1", "hlo_module": "jit_step"}}]}
EOF
profkit gpu -q --view steps jax.json
