# Options say which threads are workers and which functions are work; a bad expression, class or word is refused.
trace=$TESTDATA/workers/chunks.json
profkit workers -q --by thread --workers 'MainThread|thread' "$trace" --format csv
profkit workers -q --main 'PoolWorker-1' "$trace" --format csv
profkit workers -q --classify '^task=wait' "$trace" --format csv
profkit workers -q "$trace" "$TESTDATA/workers/long_task.json" --format csv
status 2 profkit workers --workers '(' "$trace"
status 2 profkit workers --classify 'task=fun' "$trace"
status 2 profkit workers --classify task "$trace"
status 2 profkit workers --by core "$trace"
profkit workers -q "$TESTDATA/example/before.prof"
# A recording by viztracer is not told to use viztracer.
profkit workers -q "$TESTDATA/chrome/viztracer.json" | tail -n 7
