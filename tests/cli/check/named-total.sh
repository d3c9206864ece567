# A total that grew because of a callee breaks a rule that does not look at this callee; if it does, the callee is enough.
program() { # SELF of f, of g
    printf 'events: Ir\nfn=f\n1 %d\ncfn=g\ncalls=1 1\n1 %d\nfn=g\n1 %d\n' "$1" "$2" "$2"
}
program 1000 10000 >before.out
program 1000 20000 >after.out
for rule in 'total(f)>5%' 'total(re:.)>5%' 'total(re:[gx])>5%' 'total(f)>100%'; do
    profkit check -q --fail "$rule" --baseline before.out after.out --format csv | cut -d, -f 1-6,11- || echo "status $?"
done
profkit check -q --ignore g --fail 'total(re:.)>5%' --baseline before.out after.out --format csv | cut -d, -f 1-6,11- || echo "status $?"
