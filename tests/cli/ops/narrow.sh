# At 80 columns, columns are left out; not the one by which rows are sorted.
cp "$TESTDATA/torch/gpu.json" .
in_terminal 80 ops -n 2 gpu.json
in_terminal 80 ops -n 2 --sort device_total gpu.json
