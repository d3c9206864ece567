# That a total grew because of a callee says nothing about the cost of the function itself.
program() { # SELF of f, of g
    printf 'events: Ir\nfn=f\n1 %d\ncfn=g\ncalls=1 1\n1 %d\nfn=g\n1 %d\n' "$1" "$2" "$2"
}
program 1000 10000 >before.out
program 1100 20000 >after.out
profkit diff -q --measure total --format csv before.out after.out | cut -d, -f 1,14,15
status 1 profkit check --fail 'self(f)>5%' --baseline before.out after.out
