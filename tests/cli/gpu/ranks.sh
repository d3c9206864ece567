# The critical path through ranks, and changes of it.
ranks="$TESTDATA/torch/rank0.json $TESTDATA/torch/rank1.json"
profkit gpu --critical-path $ranks
profkit gpu -q --critical-path --format csv $ranks
profkit gpu -q --what-if auto $ranks | head -6
profkit gpu -q --what-if rank:1=median --what-if communication/2 --format json $ranks
status 2 profkit gpu --what-if host=0 $ranks
status 2 profkit gpu --what-if rank:7=median $ranks
status 2 profkit gpu --what-if rank:1=3 $ranks
status 2 profkit gpu --critical-path --by operator $ranks
status 2 profkit gpu --critical-path "$TESTDATA/torch/gpu.json" "$TESTDATA/torch/gpu.json"
