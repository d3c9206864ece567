# Sheets of TraceLens: corpus_tracelens.py compares them with its own.
for sheet in "" -kernels -ops; do
    echo "== tracelens$sheet"
    profkit gpu -q --like "tracelens$sheet" "$TESTDATA/torch/rank0.json"
done
status 2 profkit gpu -q --like tracelens "$TESTDATA"/torch/rank[01].json
