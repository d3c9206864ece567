# Tables of nsys stats, of its own export and of a trace of torch.
for table in cuda_gpu_kern_sum cuda_api_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum osrt_sum; do
    echo "== $table"
    profkit gpu -q --like nsys-$table "$TESTDATA/nsys/two-gpus.sqlite"
done
echo == of torch
profkit gpu -q --like nsys-cuda_gpu_kern_sum "$TESTDATA/torch/gpu.json"
profkit gpu -q --like nsys-cuda_gpu_mem_time_sum "$TESTDATA/torch/gpu.json"
status 2 profkit gpu -q --like nsys-osrt_sum "$TESTDATA/torch/gpu.json"
