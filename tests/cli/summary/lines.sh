# A profile of line_profiler leads with the hottest lines; scripts get functions, as of others.
cd "$TESTDATA/example" || exit
profkit orders.lprof
profkit summary -n 3 --format csv orders.lprof
