# What is no text of perf script, or not the right one.
profkit info -f perf-script "$TESTDATA/perf-script/bad/raw-dump.perf"
profkit info -f perf-script "$TESTDATA/perf-script/bad/no-samples.perf"
profkit info -O event=nosuch "$TESTDATA/perf-script/default.perf"
printf 'PERFILE2\0\0\0\0' >perf.data
profkit info perf.data
