# The same from a store, and from trace events that profkit wrote.
profkit ops -q --format csv --by-shape "$TESTDATA/torch/gpu.json" >first.csv
wc -l <first.csv
profkit convert -q "$TESTDATA/torch/gpu.json" runs.db
profkit ops -q --format csv --by-shape runs.db | cmp - first.csv
profkit convert -q --to chrome "$TESTDATA/torch/gpu.json" again.json
profkit ops -q --format csv --by-shape again.json | cmp - first.csv
