# What cannot be is counted and said, and no moment counts twice: testdata/torch/make.py's critical_odd().
profkit gpu -q --critical-path --format csv "$TESTDATA/torch/critical-odd.json"
profkit gpu -q --critical-path "$TESTDATA/torch/critical-odd.json" | sed '1,/^$/d'
profkit gpu -q --critical-path --whole --format json "$TESTDATA/torch/critical-odd.json" | sed -n '/"range"/p; /"odd"/,/"rows"/p'
profkit gpu -q --what-if auto "$TESTDATA/torch/critical-odd.json"
