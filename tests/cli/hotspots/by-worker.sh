# What each process, or thread, spent in a function; a worker that was never in it has 0. If there are more than eight, only the
# extremes are named.
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
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":100,\"tid\":$thread,\"ts\":0,\"dur\":$((10 * thread))},"
done | sed '1s/^/[/; $s/,$/]/' >nine.json
profkit hotspots --by-worker nine.json
profkit hotspots --by-worker --format csv nine.json
status 2 profkit hotspots --by-worker "$TESTDATA/example/before.prof"
# The parent and the pool's own threads are no workers, unless that is said.
cat >pool.json <<'END'
[{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"MainThread"}},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"ThreadPoolExecutor-0_0"}},
{"name":"thread_name","ph":"M","pid":1,"tid":3,"args":{"name":"ThreadPoolExecutor-0_1"}},
{"name":"thread_name","ph":"M","pid":1,"tid":4,"args":{"name":"QueueFeederThread"}},
{"name":"work","ph":"X","pid":1,"tid":1,"ts":0,"dur":90},
{"name":"work","ph":"X","pid":1,"tid":2,"ts":0,"dur":10},
{"name":"work","ph":"X","pid":1,"tid":3,"ts":0,"dur":30},
{"name":"work","ph":"X","pid":1,"tid":4,"ts":0,"dur":50}]
END
profkit hotspots --by-worker pool.json
profkit hotspots --by-worker --workers 'Main|0_1' --format csv pool.json
profkit hotspots --by-worker --main 0_0 --format csv pool.json
profkit hotspots --by-worker --by process --format csv pool.json
status 2 profkit hotspots --by-worker --workers nobody pool.json
status 2 profkit hotspots --by-worker --by rank pool.json
# Where no worker has costs of the metric, all threads count if one process alone has any, whichever it is.
cat >metrics.txt <<'END'
pool 1/1 1.000000: 1 cycles:
	1 work (/bin/a)

main 2/2 1.100000: 10 instructions:
	1 work (/bin/a)

main 2/3 1.200000: 40 instructions:
	1 work (/bin/a)

END
profkit hotspots -q --by-worker --main '^main' -m instructions --format csv metrics.txt
profkit hotspots --workers 0_1 pool.json
