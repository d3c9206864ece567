# Recursive calls count in the share of a caller each, in the total of the function once.
profkit callers "fib.2" "$TESTDATA/callgrind/plain.out"
profkit callees -n 1 "fib.2" "$TESTDATA/callgrind/plain.out"
