profkit ops -q -n 1 --format json "$TESTDATA/torch/gpu.json"
