# Each event is a metric, in the order of the file; ns where perf counts time.
profkit hotspots "$TESTDATA/perf-script/default.perf"
profkit hotspots --metric cpu-clock:uhH "$TESTDATA/perf-script/events.perf"
profkit hotspots -O event=page-faults "$TESTDATA/perf-script/events.perf"
# A minor fault before the samples of time.
{
    printf 'app 7/7 1.000001: 1 minor-faults:\n\taaaa start (/bin/app)\n\n'
    printf 'app 7/7 1.000002: 10000 task-clock:\n\tbbbb memmove (/bin/app)\n\taaaa main (/bin/app)\n\n'
    printf 'app 7/7 1.000003: 20000 task-clock:\n\taaaa main (/bin/app)\n\n'
} >faults.perf
profkit hotspots faults.perf
# Without times, what most call paths have.
sed 's/task-clock/cycles/' faults.perf | profkit hotspots -
profkit convert -q faults.perf --to folded -o -
