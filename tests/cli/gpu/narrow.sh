# In a terminal of 80 columns no table is wider: columns are left out, and said.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
# by short names: lines are wrapped by the length of paths
cp "$TESTDATA"/torch/rank[01].json .
for view in summary breakdown steps overlap idle kernels launches queue copies communication ranks sequences memory flops distribution; do
    in_terminal 80 gpu -q --color never --view $view rank[01].json | tr -d '\r' >text
    width=$(LC_ALL=C.UTF-8 wc -L <text)
    [ "$width" -le 80 ] || echo "$view: $width columns"
done
sed 's/aten::mm/fbgemm::permute_2D_sparse_features/' rank1.json >long.json
for options in '--diff rank0.json rank1.json' '--critical-path --by operator long.json'; do
    in_terminal 80 gpu -q --color never $options | tr -d '\r' >narrow
    width=$(LC_ALL=C.UTF-8 wc -L <narrow)
    [ "$width" -le 80 ] || echo "$options: $width columns"
    tail -n 1 narrow
done
tail -n 7 text
in_terminal 80 gpu -q --color never --view communication rank[01].json | tr -d '\r'
echo == of the parts those that take least are left out, also beside long names of files
long=a_model_of_a_long_name-with-its-version__1016001
sed 's/"distributedInfo":{[^}]*},//' rank0.json >$long.pt.trace.json
sed 's/"distributedInfo":{[^}]*},//' rank1.json >other.json
in_terminal 80 gpu -q --color never --view breakdown $long.pt.trace.json other.json | tr -d '\r' | tail -n +3
echo == a table without rows leaves nothing out
cat >unlaunched.json <<'END'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]}
END
in_terminal 60 gpu -q --color never --view launches unlaunched.json | tr -d '\r'
