# The critical path through ranks, and changes of it.
ranks="$TESTDATA/torch/rank0.json $TESTDATA/torch/rank1.json"
profkit gpu --critical-path $ranks
profkit gpu -q --critical-path --format csv $ranks
profkit gpu -q --what-if auto $ranks | head -6
# ranks have the numbers of their job, which is larger
for rank in 0 1; do sed "s/\"rank\":$rank/\"rank\":$((rank + 6))/" "$TESTDATA/torch/rank$rank.json" >later$rank.json; done
profkit gpu -q --what-if auto later0.json later1.json | sed -n 5,7p
profkit gpu -q --what-if rank:1=median --what-if communication/2 --format json $ranks
status 2 profkit gpu --what-if host=0 $ranks
status 2 profkit gpu --what-if rank:7=median $ranks
status 2 profkit gpu --what-if rank:1=3 $ranks
status 2 profkit gpu --critical-path --by operator $ranks
status 2 profkit gpu --critical-path "$TESTDATA/torch/gpu.json" "$TESTDATA/torch/gpu.json"
# The ten changes that save most, of eleven ranks and the transfers.
for rank in {10..20}; do sed "s/\"rank\":0/\"rank\":$rank/" "$TESTDATA/torch/rank0.json" >of-11-$rank.json; done
profkit gpu -q --what-if auto --format csv of-11-*.json | grep -c .
# An all-reduce of other elements is another one, of all ranks or none.
sed '/"allreduce"/s/"In msg nelems":\([0-9]*\)/"In msg nelems":1\1/' "$TESTDATA/torch/rank1.json" >other1.json
profkit gpu -q --view communication "$TESTDATA/torch/rank0.json" other1.json | tail -n +3
