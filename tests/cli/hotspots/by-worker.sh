# What each process, or thread, spent in a function; who was never in it has 0. Of more than eight
# only the extremes are named.
cat >processes.json <<'END'
[{"name":"process_name","ph":"M","pid":1,"tid":7,"args":{"name":"one"}},
{"name":"process_name","ph":"M","pid":2,"tid":7,"args":{"name":"two"}},
{"name":"work","ph":"X","pid":1,"tid":7,"ts":0,"dur":10},
{"name":"work","ph":"X","pid":2,"tid":7,"ts":0,"dur":40},
{"name":"load","ph":"X","pid":2,"tid":7,"ts":5,"dur":10},
{"name":"work","ph":"X","pid":2,"tid":8,"ts":0,"dur":20}]
END
profkit hotspots --by-worker processes.json
profkit hotspots --by-worker --process 2 --format csv processes.json
profkit hotspots --by-worker --format json processes.json
for thread in 1 2 3 4 5 6 7 8 9; do
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":1,\"tid\":$thread,\"ts\":0,\"dur\":$((10 * thread))},"
done | sed '1s/^/[/; $s/,$/]/' >nine.json
profkit hotspots --by-worker nine.json
profkit hotspots --by-worker --format csv nine.json
profkit hotspots --by-worker "$TESTDATA/example/before.prof"
