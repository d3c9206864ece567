# Recursive calls count in the share of a caller each, in the total of the function once.
profkit callers "fib.2" "$TESTDATA/callgrind/plain.out"
profkit callees -n 1 "fib.2" "$TESTDATA/callgrind/plain.out"
# Where functions freed more than they allocated, a share above 100% is not one of recursive calls.
printf 'CMDLINE a.py\nMEM 60 100\nFUNC __main__.main 60 100 90 103\nFUNC __main__.grow 60 101 128 102\nMEM 90 103\n' >freed.dat
profkit callees -m increment main freed.dat
