# The time of one step; what both allow; what there is none of.
profkit hotspots -q --step 2 --format csv --match 'Step|mm' "$TESTDATA/torch/gpu.json"
profkit hotspots -q --step 1.. --time 130us.. --format csv --match 'Step|mm' "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 7 "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 1 --time 125us.. "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 1 "$TESTDATA/chrome/object.json"
profkit tree -q --step 1 "$TESTDATA/example/before.prof"
