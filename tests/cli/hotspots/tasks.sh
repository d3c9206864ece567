# Time of a task counts for the task, and for what runs it: how much that is, is said; threads that are no tasks have none.
trace() { # NAME of the second thread's function
    cat <<END
{"traceEvents": [
{"name": "Handle._run (/lib/asyncio/events.py:78)", "cat": "fee", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
{"name": "_contextvars.Context.run", "cat": "fee", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 8},
{"name": "thread_name", "ph": "M", "pid": 1, "tid": 5, "args": {"name": "Task-1"}},
{"name": "$1", "cat": "fee", "ph": "X", "pid": 1, "tid": 5, "ts": 1.5, "dur": 7},
{"name": "zlib.compress", "cat": "fee", "ph": "X", "pid": 1, "tid": 5, "ts": 2, "dur": 5}],
"viztracer_metadata": {"version": "1.1.1"}}
END
}
trace 'handle (aio.py:17)' >tasks.json
trace 'Thread._bootstrap (/lib/threading.py:995)' >threads.json
profkit hotspots tasks.json
profkit hotspots -n 1 threads.json
echo summary:
profkit tasks.json | grep twice
