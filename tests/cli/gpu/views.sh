# Each view, for people and for scripts; the same rows in the same order in whatever order the ranks are named.
for view in breakdown steps overlap idle kernels launches queue copies communication ranks sequences; do
    echo "== $view"
    profkit gpu -q --view $view "$TESTDATA"/torch/rank[01].json | sed '/^[0-9] \(kernels\|launches\) /d'
    profkit gpu -q --view $view --format csv "$TESTDATA"/torch/rank[01].json >in-order.csv
    cat in-order.csv
    profkit gpu -q --view $view --format csv "$TESTDATA"/torch/rank1.json "$TESTDATA/torch/rank0.json" | cmp - in-order.csv
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
echo == operations: of a matrix product, against a peak, of XLA, and where none are known
profkit gpu -q --view flops "$TESTDATA/torch/gpu.json"
profkit gpu -q --peak-flops 300M --format csv "$TESTDATA/torch/gpu.json"
profkit gpu -q --peak-flops 1.5e12 "$TESTDATA/xplane/tpu.xplane.pb"
profkit gpu -q --view flops "$TESTDATA/torch/rank0.json" | head -3
inputs() { # NAME DIMS INPUTS
    echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"$1\", \"pid\": 9, \"tid\": 9, \"ts\": $at, \"dur\": 9, \"args\": {\"Input Dims\": $2, \"Concrete Inputs\": $3}},"
    echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 9, \"tid\": 9, \"ts\": $((at + 1)), \"dur\": 2, \"args\": {\"correlation\": $at}},"
    echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": $((at + 4)), \"dur\": 1, \"args\": {\"correlation\": $at}},"
    at=$((at + 10))
}
at=10
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    inputs aten::mm '[[8, 16], [16, 4]]' '["", ""]'
    inputs aten::mm '[[8, 16], [17, 4]]' '["", ""]'
    inputs aten::mm '[[8, 0], [0, 4]]' '["", ""]'
    inputs aten::bmm '[[3, 8, 16], [3, 16, 4]]' '["", ""]'
    inputs aten::baddbmm '[[3, 8, 4], [3, 8, 16], [3, 16, 4], [], []]' '["", "", "", "1", "1"]'
    inputs aten::convolution '[[2, 3, 10, 10], [8, 3, 3, 3], [8], [], [], [], [], [], []]' '["", "", "", "[2, 2]", "[1, 1]", "[1]", "False", "[0, 0]", "1"]'
    inputs aten::convolution '[[2, 8, 5, 5], [8, 3, 3, 3], [], [], [], [], [], [], []]' '["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[1, 1]", "1"]'
    inputs aten::convolution '[[2, 8, 5, 5], [8, 3, 3, 3], [], [], [], [], [], [], []]' '["", "", "", "[0, 0]", "[1, 1]", "[1, 1]", "False", "[1, 1]", "1"]'
    inputs aten::convolution_backward '[[2, 8, 5, 5], [2, 3, 10, 10], [8, 3, 3, 3], [], [], [], [], [], [], [], []]' \
        '["", "", "", "[8]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[False, True, True]"]'
    inputs aten::_scaled_dot_product_flash_attention '[[2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [], [], [], []]' '["", "", "", "0.", "True", "False", ""]'
    inputs aten::_scaled_dot_product_efficient_attention '[[2, 4, 8, 16], [2, 4, 9, 16], [2, 4, 9, 32], [], [], [], []]' '["", "", "", "", "False", "0.", "False"]'
    inputs aten::_scaled_dot_product_flash_attention_backward '[[2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16]]' \
        '["", "", "", "", "", "", "", "", "8", "8", "0.", "False"]'
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >operations.json
profkit gpu -q --view flops --format csv operations.json | cut -d, -f1,2,4,7-
status 2 profkit gpu --peak-flops 12Q operations.json
status 2 profkit gpu --peak-flops 0 operations.json
status 2 profkit gpu --peak-flops 1T --view idle operations.json
echo == memory
profkit gpu -q --view memory "$TESTDATA/torch/gpu.json"
sed 's/"rank": 3/"rank": 2/' "$TESTDATA/torch/gpu.json" >rank2.json
profkit gpu -q --view memory --format csv "$TESTDATA/torch/gpu.json" rank2.json
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
echo == the stack, an annotation
sed 's/"traceEvents": \[/&\
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 9, "tid": 9, "ts": 0, "dur": 95},\
{"ph": "X", "cat": "user_annotation", "name": "train", "pid": 9, "tid": 9, "ts": 0, "dur": 94},/' module.json >stack.json
sed 's/"schemaVersion": 1/&, "baseTimeNanoseconds": 1000/' stack.json >later.json
profkit gpu -q --view kernels --by stack --format csv stack.json
profkit gpu -q --view kernels --by annotation stack.json
for by in module stack annotation; do
    profkit gpu -q --view kernels --by $by -o $by.svg stack.json later.json
    grep -o '<title>[^<]*</title>' $by.svg
done
grep -o '>GPU time by [^<]*' stack.svg
status 2 profkit gpu --critical-path --by stack stack.json
echo == one call
profkit gpu -q module.json | sed -n 2,3p
echo == kernels of a step
profkit gpu -q --step 2 --view kernels --format csv "$TESTDATA/torch/rank0.json"
echo == grid, block, registers and shared memory of kernels: several sizes, two traces, nsys, rocpd, XLA
kernel() { # TS NAME ARGS
    echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"$2\", \"pid\": 0, \"tid\": 7, \"ts\": $1, \"dur\": 2, \"args\": {$3}},"
}
trace() {
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    cat
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
}
big='"grid": [4,106, 1], "block": [128, 1, 1], "registers per thread": 30, "shared memory": 16, "est. achieved occupancy %": 33'
small='"grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 30, "shared memory": 16, "est. achieved occupancy %": 2'
{
    kernel 0 k "$small"
    kernel 3 k "$big"
    kernel 6 odd '"grid": ["many"], "block": {}, "registers per thread": -1, "shared memory": -5'
    kernel 9 partly '"registers per thread": 8'
    kernel 12 xla '"kernel_details": "regs:2191500840 static_shared:32462 dynamic_shared:0 grid:219,40,1 block:256,1,1 occ_pct:0"'
    kernel 15 counted "$small" # twice in two traces
    for ts in 18 21 24; do kernel $ts counted "$big"; done
} | trace >sizes.json
{
    kernel 0 k "$big"
    kernel 3 counted "$small"
} | trace >more-sizes.json
profkit gpu -q --view kernels --format csv sizes.json more-sizes.json
profkit gpu -q --view kernels sizes.json more-sizes.json
for file in nsys/two-gpus.sqlite rocpd/two-gpus.db xplane/gpu.xplane.pb; do
    profkit gpu -q --view kernels --format csv "$TESTDATA/$file" | grep computation | cut -d, -f9-
done
echo == arrows alone link kernels to their launches
{
    for at in 10 20 30; do
        event="\"pid\": 9, \"tid\": 9, \"ts\": $at"
        echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", $event, \"dur\": 2, \"args\": {\"cbid\": 211}},"
        echo "{\"ph\": \"s\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": $at, $event},"
        kernel $((at + 4)) k '"stream": 7'
        echo "{\"ph\": \"f\", \"bp\": \"e\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": $at, \"pid\": 0, \"tid\": 7, \"ts\": $((at + 4))},"
    done
} | trace >arrows.json
profkit gpu -q --view launches arrows.json
