# Of several metrics, the first line counts the functions of the one that is shown, as the table does; states have no speed-up.
profkit -q "$TESTDATA/perfetto/sched.pftrace" | head -4
profkit -q -m state_time "$TESTDATA/perfetto/sched.pftrace" | head -9
profkit -q -m cpu_time -n 2 "$TESTDATA/perfetto/sched.pftrace" | sed -n '1p;/more/p'
