# Paths below the process, or the thread, that took them. The same number of thread in two processes
# is two threads.
cat >two.json <<'END'
[{"name":"process_name","ph":"M","pid":1,"tid":7,"args":{"name":"main"}},
{"name":"process_name","ph":"M","pid":2,"tid":7,"args":{"name":"worker"}},
{"name":"run","ph":"X","pid":1,"tid":7,"ts":0,"dur":10},
{"name":"work","ph":"X","pid":2,"tid":7,"ts":0,"dur":40},
{"name":"load","ph":"X","pid":2,"tid":7,"ts":5,"dur":10},
{"name":"work","ph":"X","pid":2,"tid":8,"ts":0,"dur":20}]
END
profkit tree --by process two.json
profkit tree --by thread --format csv two.json
profkit tree --by process --bottom-up --format csv two.json
profkit tree --by thread "$TESTDATA/example/before.prof"
