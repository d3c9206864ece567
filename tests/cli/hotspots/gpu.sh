# A selection that leaves GPU work alone: the metric is gpu_time, since time has no values there.
profkit hotspots --thread 'stream 7' --format csv "$TESTDATA/torch/gpu.json"
