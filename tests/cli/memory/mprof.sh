# The curve, and what marked functions added; the peaks of processes.
profkit memory "$TESTDATA/mprof/marked.dat"
profkit memory "$TESTDATA/mprof/children.dat"
# The peak is that of the first process, and so are its time and the curve, also where another process had more.
printf '%s\n' 'CMDLINE python3 pool.py' 'MEM 10 100.0' 'CHLD 9 30 101.0' 'MEM 20 101.5' 'CHLD 9 50 103.0' 'MEM 15 104.0' >pool.dat
profkit memory pool.dat
