# In order of appearance; sorted, cut; by stack and overload.
profkit ops -q --like torch "$TESTDATA/torch/gpu.json"
profkit ops -q --like torch --sort self_cuda_time_total -n 3 --name-width 20 "$TESTDATA/torch/gpu.json"
profkit ops -q --like torch --by-stack 5 "$TESTDATA/torch/stacks.json"
profkit ops -q --like torch --by-overload --sort count "$TESTDATA/torch/stacks.json"
echo == another version: Python functions are not in the tree, and units are written otherwise
profkit ops -q --like torch -O torch=2.4 "$TESTDATA/torch/stacks.json"
# An operator of which the only part has its name is one with it; later ones keep their stacks.
{
    echo '{"schemaVersion": 1, "with_stack": 1, "deviceProperties": [], "traceEvents": ['
    for ts in 10 30; do
        for within in 0 2; do
            echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::at_$ts\", \"pid\": 9, \"tid\": 9, \"ts\": $((ts + within)),"
            echo "\"dur\": $((10 - 2 * within)), \"args\": {\"Call stack\": \"a.py($ts): main;\"}},"
        done
    done
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >twice.json
profkit ops -q --like torch --by-stack 5 twice.json
