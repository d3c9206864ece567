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
# The text that does not end hides the only thread from the first pass, which learns the threads.
cat >hidden.json <<'EOT'
[{"ph":"M","pid":7,"tid":1,"name":"thread_name","args":{"name":"Main": 7,"name":"x","args":{"name":"y"}},
{"pid":7,"tid":7,"ts":81,"ph":"X","dur":2,"name":"inner"},
{"pid":7,"tid":7,"ts":81,"ph":"X","dur":4,"name":"outer": 8,"tid":7,"ts":84,"ph":"X"},
{"ph":"i","pid":7,"tid":7,"ts":83,"name":"mark","s":"t"}]
EOT
profkit slice hidden.json hidden-part.json
cat hidden-part.json
