# A box for each thread of a process below the root, with what it calls in it.
cat >two.json <<'END'
[{"name":"run","ph":"X","pid":1,"tid":7,"ts":0,"dur":10},
{"name":"thread_name","ph":"M","pid":1,"tid":8,"args":{"name":"<b>"}},
{"name":"work","ph":"X","pid":1,"tid":8,"ts":0,"dur":40}]
END
titles() {
    profkit flamegraph "$@" | sed -n 's/.*<title>\([^<]*\).*/\1/p'
}
titles --by thread two.json
titles --by process two.json
titles --by thread --diff two.json two.json
status 2 titles --by thread --chart two.json
