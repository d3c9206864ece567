# benchmarks.json in the folder above says the unit of what is tracked and the names of parameters; in the sandbox, too.
profkit hotspots -m characters "$TESTDATA/asv/results/box/result.json" 2>/dev/null
profkit query --format csv "$TESTDATA/asv/results/box/result.json" "select distinct k.text from label_set join string k on k.id = key" 2>/dev/null
status 2 profkit info "$TESTDATA/asv/results/benchmarks.json"
