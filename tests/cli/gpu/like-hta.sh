# HTA's tables: corpus_hta.py compares them with HTA's own.
for table in "" -idle -idle-intervals -kernel-types -kernels -overlap -queue -queue-series -full-queue -bandwidth \
    -bandwidth-series -launches -operators -gpu-annotations -cpu-annotations; do
    echo "== hta$table"
    profkit gpu -q --like "hta$table" "$TESTDATA"/torch/rank[01].json
done
for table in "" -cpu -gpu; do
    echo "== hta-diff$table"
    profkit gpu -q --like "hta-diff$table" "$TESTDATA"/torch/rank[01].json
done
status 2 profkit gpu -q --like hta-diff "$TESTDATA/torch/rank0.json"
echo == exact, in JSON
profkit gpu -q --like hta --exact --format json "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --like hta --view steps "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --exact "$TESTDATA/torch/rank0.json"
echo == hta-cupti: counters of kernels, by the operator that launched them
event() { # TS DUR CAT NAME ARGS
    echo "{\"ph\": \"X\", \"cat\": \"$3\", \"name\": \"$4\", \"pid\": 9, \"tid\": 9, \"ts\": $1, \"dur\": $2, \"args\": {$5}},"
}
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event 0 9 cpu_op aten::linear
    event 1 7 cpu_op aten::addmm
    event 2 2 cuda_runtime cudaLaunchKernel
    event 5 2 cuda_runtime cudaLaunchKernelExC
    event 30 5 cuda_profiler_range second '"fadd.sum": 7, "name": "no number"'
    event 20 5 cuda_profiler_range first '"fadd.sum": 1.5, "ffma.sum": 38731776'
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >cupti.json
profkit gpu -q --like hta-cupti cupti.json
sed /ExC/d cupti.json >less.json
status 2 profkit gpu -q --like hta-cupti less.json
status 2 profkit gpu -q --like hta-cupti "$TESTDATA/torch/gpu.json"
