# Sequences of two ranks: equal ones are one row, the most frequent first, then the longest; of many kernels 32 are named.
rank() { # NUMBER CALL... : OPERATOR KERNELS TIME
    local rank=$1 at=0 id=1 call
    shift
    printf '{"schemaVersion": 1, "deviceProperties": [], "distributedInfo": {"rank": %d}, "traceEvents": [\n' "$rank"
    for call; do
        read -r operator kernels time <<<"$call"
        printf '{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 9, "tid": 9, "ts": %d, "dur": 100},\n' "$operator" $at
        for ((i = 1; i <= kernels; i++)); do
            printf '{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": %d, "dur": 1, "args": {"correlation": %d}},\n' $((at + 2 * i)) $id
            printf '{"ph": "X", "cat": "kernel", "name": "k%d", "pid": 0, "tid": 7, "ts": %d, "dur": %d, "args": {"correlation": %d}},\n' $i $((at + 200 + i * time)) "$time" $id
            ((++id))
        done
        ((at += 1000))
    done
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
}
rank 0 "many 33 1" "all 32 2" "short 1 5" "often 2 3" "long 1 50" "often 2 4" >0.json
rank 1 "many 33 1" "often 2 5" >1.json
profkit gpu -q --view sequences --format csv 0.json 1.json
echo == in a terminal of 80 columns the names of operators and kernels are short, and equal kernels in a row are one
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
long="void at::native::(anonymous namespace)::multi_tensor_apply_kernel_of_a_long_name<float, 4>"
sed "s/\"k[12]\"/\"$long\"/; s/many/autograd::engine::evaluate_function: AddmmBackward0/; s/often/aten::an_operator_of_a_long_name/" 0.json >names.json
in_terminal 80 gpu -q --color never --view sequences names.json | tr -d '\r'
