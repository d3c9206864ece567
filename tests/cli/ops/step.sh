# Of one step: what the host waited for in it, not in all of them.
for step in 1 2 1..2; do
	profkit ops --step $step "$TESTDATA/torch/gpu.json" | grep -o 'waiting for the GPU: [^,]*'
done
