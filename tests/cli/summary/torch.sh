# Steps, GPU, operators, waits of a torch trace.
profkit summary -q -n 2 "$TESTDATA/torch/gpu.json"
profkit summary -q -n 1 --format json "$TESTDATA/torch/gpu.json"
profkit summary -q -n 1 "$TESTDATA/torch/stacks.json"
