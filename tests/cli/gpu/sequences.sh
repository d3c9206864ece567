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
rank 1 "many 33 1" "many 34 1" "often 2 5" >1.json
profkit gpu -q --view sequences --format csv 0.json 1.json
echo == a call launches what the outermost operator around it does, that with the name if one is asked for
event() { # CATEGORY NAME PID BEGIN DURATION [CORRELATION]
    printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": 9, "ts": %d, "dur": %d, "args": {%s}},\n' "${@:1:5}" "${6:+\"correlation\": $6}"
}
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event cpu_op outer 9 0 100
    event cpu_op inner_a 9 10 40
    event cpu_op leaf_a 9 20 20
    event cuda_runtime cudaLaunchKernel 9 25 1 1
    event cpu_op leaf_b 9 60 20
    event cuda_runtime cudaLaunchKernel 9 65 1 2
    event kernel k1 0 200 3 1
    event kernel k2 0 210 4 2
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >nested.json
profkit gpu -q --view sequences --format csv nested.json
profkit gpu -q --view sequences --operator _a --format csv nested.json
echo == in a terminal of 80 columns the names of operators and kernels are short, and equal kernels in a row are one
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
long="void at::native::(anonymous namespace)::multi_tensor_apply_kernel_of_a_long_name<float, 4>"
sed "s/\"k[12]\"/\"$long\"/; s/many/autograd::engine::evaluate_function: AddmmBackward0/; s/often/aten::an_operator_of_a_long_name/" 0.json >names.json
in_terminal 80 gpu -q --color never --view sequences names.json | tr -d '\r'
echo "== names that contain what stands between names"
sed 's/"k1"/"k1 -> k0"/; s/"k2"/"k1 → k0 ×2"/' 0.json >arrows.json
profkit gpu -q --view sequences --operator often arrows.json
profkit gpu -q --view sequences --operator often --format json arrows.json | grep kernels
