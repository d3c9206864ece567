# Two steps: operators, runtime calls and kernels, CPU and device times apart; waits in words.
profkit ops -q "$TESTDATA/torch/gpu.json"
echo == one step, by shape, for a script
profkit ops -q --step 2 --by-shape --format csv --sort name "$TESTDATA/torch/gpu.json"
echo == operators alone
profkit ops -q --category '^cpu_op$' --sort cpu_time_total --format csv "$TESTDATA/torch/gpu.json"
