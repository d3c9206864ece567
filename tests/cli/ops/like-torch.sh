# In order of appearance; sorted, cut; by stack and overload.
profkit ops -q --like torch "$TESTDATA/torch/gpu.json"
profkit ops -q --like torch --sort self_cuda_time_total -n 3 --name-width 20 "$TESTDATA/torch/gpu.json"
profkit ops -q --like torch --by-stack 5 "$TESTDATA/torch/stacks.json"
profkit ops -q --like torch --by-overload --sort count "$TESTDATA/torch/stacks.json"
echo == another version: Python functions are not in the tree, and units are written otherwise
profkit ops -q --like torch -O torch=2.4 "$TESTDATA/torch/stacks.json"
