# Recordings of rocprofv3: a database with HIP, HSA and ROCTx, kernels on two GPUs; three recordings in one file; JSON
f=$TESTDATA/rocpd/two-gpus.db
profkit gpu -q --view breakdown $f
profkit gpu -q --view launches $f
profkit gpu -q --view copies $f
profkit gpu -q --view kernels --by operator $f
profkit gpu -q --view launches $TESTDATA/rocpd/process.json
profkit hotspots -q -m gpu_time $TESTDATA/rocpd/merged.db
# Advice for programs of any kind, since nothing in it is of torch.
profkit gpu -q $f | grep 'graphs\|pinned'
profkit gpu -q --critical-path $f | grep 'graphs\|between the'
