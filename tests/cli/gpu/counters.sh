# A trace with counters, in its own format; the numbers of the trace are as before.
profkit gpu -q --counters -o with.json "$TESTDATA/torch/rank0.json"
grep '"ph":"C"' with.json
profkit gpu -q --view breakdown --format csv with.json | diff - <(profkit gpu -q --view breakdown --format csv "$TESTDATA/torch/rank0.json") && echo same
status 2 profkit gpu -q --counters "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --counters -o with.json "$TESTDATA/torch/rank0.json"
for option in "--like hta" "--step 1" --whole "--view queue"; do
    status 2 profkit gpu -q --counters $option -o with.json --force "$TESTDATA/torch/rank0.json"
done
