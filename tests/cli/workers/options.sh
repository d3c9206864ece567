# Who is a worker and what is work can be said; a bad expression, class or word is refused.
trace=$TESTDATA/workers/chunks.json
profkit workers -q --by thread --workers 'MainThread|thread' "$trace" --format csv
profkit workers -q --main 'PoolWorker-1' "$trace" --format csv
profkit workers -q --classify '^task=wait' "$trace" --format csv
profkit workers -q "$trace" "$TESTDATA/workers/long_task.json" --format csv
profkit workers --workers '(' "$trace"
profkit workers --classify 'task=fun' "$trace"
profkit workers --classify task "$trace"
profkit workers --by core "$trace"
profkit workers -q "$TESTDATA/example/before.prof"
