# HTA's tables: corpus_hta.py compares them with HTA's own.
for table in "" -idle -idle-intervals -kernel-types -kernels -overlap -queue -queue-series -full-queue -bandwidth \
    -bandwidth-series -launches -operators -gpu-annotations -cpu-annotations; do
    echo "== hta$table"
    profkit gpu -q --like "hta$table" "$TESTDATA"/torch/rank[01].json
done
for table in "" -cpu -gpu; do
    echo "== hta-diff$table"
    profkit gpu -q --like "hta-diff$table" "$TESTDATA"/torch/rank[01].json
done
status 2 profkit gpu -q --like hta-diff "$TESTDATA/torch/rank0.json"
echo == exact, in JSON
profkit gpu -q --like hta --exact --format json "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --like hta --view steps "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --exact "$TESTDATA/torch/rank0.json"
