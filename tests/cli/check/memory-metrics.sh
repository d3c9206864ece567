# Rules of metrics, those of memory and others: peaks of several runs, allocations counted exactly, a metric that only
# one side has, a wrong word.
run() { # FILE MIB...
    local file=$1 time=100
    shift
    echo CMDLINE a.py
    for mib; do
        echo "MEM $mib $((time++)).0000"
    done >>"$file"
}
for i in 1 2 3 4 5; do
    run before$i.dat 10.$i 50.$i 20.$i
    run after$i.dat 10.$i 70.$i 20.$i
done >/dev/null
set -- -b before1.dat -b before2.dat -b before3.dat -b before4.dat -b before5.dat
status 1 profkit check "$@" after?.dat --fail 'peak>5%' --format csv
profkit check "$@" after?.dat --fail 'peak>30MiB' --format csv
snapshots="$TESTDATA"/tracemalloc
status 1 profkit check -q -b "$snapshots"/twice.pickle "$snapshots"/protocol5.pickle --fail 'leaked>0' \
    --fail 'leaked_allocations(cache.py:12)>0' --fail 'leaked>10GB' --format csv
status 2 profkit check -b before1.dat after1.dat --fail 'leaked>0'
status 2 profkit check -b before1.dat after1.dat --fail 'peek>0'
profkit check -q -b "$TESTDATA"/line-profiler/kernprof.lprof "$TESTDATA"/line-profiler/kernprof.lprof --fail "hits>0.5%" --format csv
status 2 profkit check -b before1.dat after1.dat --fail 'peak>5ms'
