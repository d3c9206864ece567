# Files with contents that no program produces: each gives an answer, and no command hangs or crashes.
x() { # PID NAME BEGIN END
    echo "{\"ph\":\"X\",\"pid\":$1,\"tid\":$1,\"name\":\"$2\",\"ts\":$3,\"dur\":$(($4 - $3))},"
}
name() { echo "{\"ph\":\"M\",\"pid\":$1,\"tid\":$1,\"name\":\"process_name\",\"args\":{\"name\":\"$2\"}},"; }
trace() {
    { echo '{"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": ['; cat; } | sed '$s/,$/]}/' >"$1.json"
}
show() {
    echo "== $1"
    shift
    profkit workers -q --format json "$@" | sed -n '/"window"/p; /"process": /p; /"time_at"/p; /"code"/p; /no worker has work/p'
}
parent() { name 1 MainProcess && x 1 main 0 "$1"; }
pool() { name 2 ForkPoolWorker-1 && name 3 ForkPoolWorker-2; }

show "a pool without a worker" --workers none "$TESTDATA/workers/chunks.json"
parent 100 | trace none && show "no worker" none.json
{ parent 100 && name 2 ForkPoolWorker-1 && x 2 work 0 50; } | trace one && show "one worker" one.json
pool=/usr/lib/python3.11/multiprocessing/pool.py
{ parent 100 && name 2 ForkPoolWorker-1 && x 2 "worker ($pool:97)" 0 90 && x 2 "mapstar ($pool:47)" 0 80 &&
    for ((i = 0; i < 8; i++)); do x 2 "task (/srv/app.py:3)" $((10 * i)) $((10 * i + 10)); done; } |
    sed 's/"ph":"X"/&,"cat":"fee"/' | trace tasks
echo == one worker: no size of chunks is better
profkit workers -q --format json tasks.json | grep '"tasks": {'
{ parent 100 && pool && x 2 work 0 0 && x 3 work 0 0; } | trace zero && show "no time" zero.json
{ parent 100 && pool && x 2 work 10 50 && x 2 load 0 60 && x 2 work 40 100 && x 3 work 0 100; } | trace overlap
show "overlapping and out of order: a union" overlap.json
{ x 1 a 0 50 && x 2 work 0 60 && x 2 work 40 100 && x 3 work 0 100; } | trace lanes
show "the same by thread: no worker of its own" --by thread lanes.json
{ parent 100 && pool && x 2 work 0 20 && name 2 ForkPoolWorker-3 && x 2 work 60 100 && x 3 work 0 100; } | trace reused
show "a pid used again: one worker, by its last name" reused.json
{ parent 10 && pool && x 2 work 0 100 && x 3 work 0 90; } | trace early
show "a parent that ends first: the window does not" early.json
{ parent 100 && pool && x 2 work 0 50 && x 2 work 9000000000000 9000000000050 && x 3 work 0 100; } | trace jump
show "a clock that jumps forward" jump.json
{ parent 100 && pool && x 2 work 50 100 && x 2 work -9000000000000 -8999999999950 && x 3 work 0 100; } | trace back
show "and back" back.json
show "part of it" --time 9000000s..9000000.0001s back.json

# perf tells that a thread ended, so that its number begins another worker.
sample() { printf 'w  10/%s [000] %s: 10000000 cpu-clock: \n\t55 f+0x1 (/srv/w)\n\n' "$1" "$2"; }
for ((i = 100; i < 160; i++)); do
    sample 11 "$i.010000"
    sample 12 "$i.010000"
done >threads.txt
{
    echo 'w  10/11 [000] 160.100000: PERF_RECORD_EXIT(10:11):(10:10)'
    echo 'w  10/10 [000] 160.200000: PERF_RECORD_FORK(10:11):(10:10)'
    for ((i = 161; i < 221; i++)); do sample 11 "$i.010000"; done
} >>threads.txt
show "a thread's number used again: two workers" threads.txt
# Without times no moment is known at which no worker has work.
echo "== few samples without times"
printf 'process 1:"a";f 3\nprocess 2:"b";f 4\n' >few.txt
profkit workers -q -f py-spy few.txt | sed -n '/^not_enough_data/p; /work for/p'
