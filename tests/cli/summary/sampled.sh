# How a profile was sampled, and that nothing is said of what the format does not tell.
profkit summary -n 1 "$TESTDATA/perf-script/default.perf" | head -3
profkit info "$TESTDATA/perf-script/default.perf" | grep -e sampling -e thread
profkit info --format json "$TESTDATA/perf-script/default.perf" | sed -n '/"sampling"/,$p'
printf 'thread (0x7F): main;f (a.py:1) 3\nthread (0x80);g (a.py:2) 4\n' >x.raw
profkit summary -n 1 x.raw | head -3
profkit info x.raw
profkit info --format json x.raw | sed -n '/"sampling"/,$p'
profkit summary -n 1 "$TESTDATA/profkit-baseline/runs.baseline" | sed -n 2,3p
