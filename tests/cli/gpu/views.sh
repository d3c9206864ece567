# Each view, for people and for scripts.
for view in breakdown steps overlap idle kernels launches queue copies communication ranks sequences; do
    echo "== $view"
    profkit gpu -q --view $view "$TESTDATA"/torch/rank[01].json | sed '/^[0-9] \(kernels\|launches\) /d'
    profkit gpu -q --view $view --format csv "$TESTDATA"/torch/rank[01].json
done
echo == one step
profkit gpu -q --step 2 --view steps --format json "$TESTDATA/torch/rank0.json"
echo == the whole trace
profkit gpu -q --whole --view breakdown --format csv "$TESTDATA/torch/rank0.json"
echo == no steps
profkit gpu -q --view breakdown --format csv "$TESTDATA/torch/old.json"
echo == kernels by what launched them
for by in kind operator shape module; do
    profkit gpu -q --view kernels --by $by --format csv "$TESTDATA/torch/gpu.json"
done
echo == sequences of an operator
profkit gpu -q --view sequences --operator addmm --format csv "$TESTDATA/torch/gpu.json"
echo == memory
profkit gpu -q --view memory "$TESTDATA/torch/gpu.json"
echo == modules
cat >module.json <<'EOF'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "nn.Module: Net_0", "pid": 9, "tid": 9, "ts": 0, "dur": 90},
{"ph": "X", "cat": "python_function", "name": "net.py(4): forward", "pid": 9, "tid": 9, "ts": 1, "dur": 80},
{"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_1", "pid": 9, "tid": 9, "ts": 2, "dur": 70},
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 9, "tid": 9, "ts": 3, "dur": 60},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 4, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 30, "args": {"correlation": 1, "est. achieved occupancy %": 50}}]}
EOF
profkit gpu -q --view kernels --by module --format csv module.json
echo == one call
profkit gpu -q module.json | sed -n 2,3p
echo == kernels of a step
profkit gpu -q --step 2 --view kernels --format csv "$TESTDATA/torch/rank0.json"
