# The trace of a rank as JSON and as a trace of Perfetto: of the latter, arguments that a view does not need are passed over by the
# numbers of their names.
profkit convert -q $TESTDATA/torch/rank0.json --to perfetto -o rank0.pftrace
for view in copies launches communication; do
    profkit gpu -q --format csv --view $view rank0.pftrace | tee pftrace.csv
    profkit gpu -q --format csv --view $view $TESTDATA/torch/rank0.json | cmp - pftrace.csv
done
profkit gpu -q --format csv --view kernels --by shape rank0.pftrace
