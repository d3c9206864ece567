# FILE@KEY=VALUE are the runs added with --meta KEY=VALUE; a label of that text comes first.
f=$TESTDATA/folded/one-frame.folded
profkit store add -q runs.db "$f" --label one --meta commit=abc --meta host=a
profkit store add -q runs.db "$f" --label two --meta commit=abd --meta host=a
labels() { profkit store list "$1" --format csv | cut -d , -f 2 | tail -n +2; }
for which in commit=abd host=a; do
    profkit convert -q "runs.db@$which" "$which.db"
    labels "$which.db"
done
status 2 profkit info runs.db@commit=ab
profkit store add -q runs.db "$f" --label commit=abc
profkit convert -q runs.db@commit=abc labelled.db
labels labelled.db
profkit store remove runs.db commit=abd
labels runs.db
