# Where a full buffer lost calls of workers, what they did is not known: no words on overhead.
event() { # PID TIME DURATION NAME
    printf '{"ph":"X","cat":"fee","pid":%s,"tid":%s,"ts":%s,"dur":%s,"name":"%s"},\n' "$1" "$@"
}
trace() { # OVERFLOW
    echo '{"traceEvents":['
    for pid in 2 3; do
        printf '{"ph":"M","pid":%d,"tid":%d,"name":"process_name","args":{"name":"ForkPoolWorker-%d"}},\n' \
            $pid $pid $pid
        event $pid 700 200 'work (app.py:3)'
        event $pid 650 300 'mapstar (/usr/lib/python3.11/multiprocessing/pool.py:47)'
        event $pid 100 890 'worker (/usr/lib/python3.11/multiprocessing/pool.py:97)'
    done
    echo '{}],"viztracer_metadata":{"version":"1.1.1","overflow":'"$1"'}}'
}
trace true >lost.json
profkit workers -q lost.json
trace false >all.json
profkit workers -q all.json | grep overhead_
