# An export of Nsight Systems: two processes on two GPUs, of which one has streams of both
f=$TESTDATA/nsys/two-gpus.sqlite
profkit gpu -q $f
profkit gpu -q --view launches $f
profkit gpu -q --view copies $f
profkit gpu -q --view kernels --by operator $f
profkit gpu -q $TESTDATA/nsys/few-columns.sqlite
profkit gpu -q --view memory $TESTDATA/nsys/few-columns.sqlite | grep allocated
