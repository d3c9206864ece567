# -2^63 means "not known" in profkit: work with this stream is on none.
sed 's/"stream":20/"stream":-9223372036854775808/' "$TESTDATA/torch/rank0.json" > odd.json
for table in -idle -queue; do
    echo "== hta$table"
    profkit gpu -q --like "hta$table" odd.json
done
