# The time of one step; two options that both restrict it; a step that is not there.
profkit hotspots -q --step 2 --format csv --match 'Step|mm' "$TESTDATA/torch/gpu.json"
profkit hotspots -q --step 1.. --time 130us.. --format csv --match 'Step|mm' "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 7 "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 1 --time 125us.. "$TESTDATA/torch/gpu.json"
status 2 profkit tree -q --step 1 "$TESTDATA/chrome/object.json"
# Steps are numbered from 0 by some programs.
cat >zero.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 10, "dur": 7},
{"ph": "X", "cat": "user_annotation", "name": "later", "pid": 1, "tid": 1, "ts": 20, "dur": 5}]}
END
profkit hotspots -q --step 0 --format csv zero.json | cut -d, -f1,9
# A step that takes no time is as good as none.
sed 's/"dur": 7/"dur": 0/' zero.json >instant.json
status 2 profkit hotspots -q --step 0 instant.json
# It ends 7 us after the first time of all.
profkit hotspots -q --step 0 --time 6.999us.. --format csv zero.json | cut -d, -f1,9
status 2 profkit hotspots -q --step 0 --time 7us.. zero.json
profkit tree -q --step 1 "$TESTDATA/example/before.prof"
