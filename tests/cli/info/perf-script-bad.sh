# Files that are not a text of perf script, or not the right one.
status 2 profkit info -f perf-script "$TESTDATA/perf-script/bad/raw-dump.perf"
status 2 profkit info -f perf-script "$TESTDATA/perf-script/bad/no-samples.perf"
status 2 profkit info -O event=nosuch "$TESTDATA/perf-script/default.perf"
printf 'PERFILE2\0\0\0\0' >perf.data
status 2 profkit info perf.data
printf 'work 16519/16519   618.653688: cpu-clock: \n\t            1204\n\t            1221\n\n' >no-sym.txt
status 2 profkit info no-sym.txt
printf '            work 16519 \n            work 16519 \n' >comm-pid.txt
status 2 profkit info comm-pid.txt
printf '            work 16519   618.653688:    1001001 cpu-clock: \n' >no-ip.txt
profkit info no-ip.txt
