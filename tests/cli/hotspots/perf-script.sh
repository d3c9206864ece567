# Each event is a metric, in the order of the file; ns where perf counts time.
profkit hotspots "$TESTDATA/perf-script/default.perf"
profkit hotspots --metric cpu-clock:uhH "$TESTDATA/perf-script/events.perf"
profkit hotspots -O event=page-faults "$TESTDATA/perf-script/events.perf"
