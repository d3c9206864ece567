# Errors in arguments are not seen when a trace is read; what is copied is a trace nevertheless.
cat >in.json <<'EOF'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"good","args":{"a":1}},
{"ph":"X","pid":1,"tid":1,"ts":20,"dur":10,"name":"bad","args":{"a": 2":1, "b}},
{"ph":"X","pid":1,"tid":1,"ts":30,"dur":10,"name":worse},
{"ph":"X","pid":1,"tid":1,"ts":40,"dur":10,"name":"last","args":{"a":NaN}}]
EOF
profkit hotspots -q in.json --format csv | cut -d, -f1
profkit slice --verbose --time 0us..60us in.json part.json
cat part.json
profkit hotspots -q part.json --format csv | cut -d, -f1
