# Recordings of XLA: a GPU has streams; of a TPU the line "XLA Ops" is the work.
profkit gpu $TESTDATA/xplane/gpu.xplane.pb
profkit gpu --view copies $TESTDATA/xplane/gpu.xplane.pb
profkit gpu $TESTDATA/xplane/tpu.xplane.pb
profkit gpu --view kernels $TESTDATA/xplane/tpu.xplane.pb
