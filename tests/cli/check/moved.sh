# Cost that moves between two callees of a function is no alarm: of 500 more in one, the other must have lost 90 % at least.
run() { # A B: what the two cost
    printf 'events: Ir\n\nfn=main\n1 10\ncfn=a\ncalls=1 1\n1 %d\ncfn=b\ncalls=1 1\n1 %d\n\nfn=a\n1 %d\n\nfn=b\n1 %d\n' "$1" "$2" "$1" "$2"
}
run 1000 1000 >before.out
for b in 500 550 551 1000; do
    run 1500 $b >after.out
    echo "== $b"
    profkit check -q --baseline before.out after.out --fail 'self>5%' --format csv | sed -n '2,$p' || echo "status $?"
    profkit diff -q before.out after.out --format csv | cut -d, -f 1,5-7,14-
done
