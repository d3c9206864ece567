# The path of testdata/torch/make.py's critical(), which adds up to the 500 us of the step.
profkit gpu --critical-path "$TESTDATA/torch/critical.json"
profkit gpu --critical-path --format json "$TESTDATA/torch/critical.json"
for by in kind operator name; do
    profkit gpu --critical-path --by $by --format csv "$TESTDATA/torch/critical.json"
done
echo == an annotation: autograd runs on another thread meanwhile
profkit gpu --critical-path --annotation backward --format csv "$TESTDATA/torch/critical.json"
echo == the whole trace
profkit gpu -q --critical-path --whole --format csv "$TESTDATA/torch/critical.json"
echo == two steps
profkit gpu -q --critical-path --step 1..2 --format csv "$TESTDATA/torch/rank0.json"
echo == no steps, and streams that are not told
profkit gpu -q --critical-path "$TESTDATA/torch/gpu.json"
status 2 profkit gpu -q --critical-path "$TESTDATA/torch/stacks.json"
status 2 profkit gpu -q --critical-path --step 9 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation nowhere "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation Step@1 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation Step --whole "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --by shape "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --view idle "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path "$TESTDATA"/torch/rank[01].json
status 2 profkit gpu -q --annotation backward "$TESTDATA/torch/critical.json"
