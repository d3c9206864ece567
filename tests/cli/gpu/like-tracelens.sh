# Sheets of TraceLens: corpus_tracelens.py compares them with its own.
for sheet in "" -kernels -ops -categories -unique-args -short-kernels -collectives; do
    echo "== tracelens$sheet"
    profkit gpu -q --like "tracelens$sheet" "$TESTDATA/torch/rank0.json"
done
echo == sizes of inputs
profkit gpu -q --like tracelens-unique-args "$TESTDATA/torch/gpu.json"
profkit gpu -q --like tracelens-short-kernels "$TESTDATA/torch/gpu.json"
profkit gpu -q --like tracelens-short-histogram "$TESTDATA/torch/gpu.json" | grep -v ',0$'
status 2 profkit gpu -q --like tracelens "$TESTDATA"/torch/rank[01].json
echo == collectives of 400 and 500 us
sed '24s/"dur":400.0/"dur":500.0/' "$TESTDATA/torch/rank0.json" >unequal.json
profkit gpu -q --like tracelens-collectives unequal.json | cut -d, -f14-
