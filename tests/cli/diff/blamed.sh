# Which callee a changed total comes from, at the limits: all callees make 80 % of the change, the function itself no more than 20 %;
# the way goes on from a callee that makes half of it. Recursion leads to other callees of the functions in it.
graph() { # FUNCTION SELF, and CALLER CALLEE CALLS TOTAL, a line each: as callgrind, whose counts are exact
    awk 'BEGIN { print "events: Ir" } NF == 2 { print "fn=" $1 "\n1 " $2 } NF == 4 { print "fn=" $1 "\ncfn=" $2 "\ncalls=" $3 " 1\n1 " $4 }'
}
notes() { # TITLE: what is said about before.out and after.out
    echo "== $1"
    profkit diff -q --measure total --format csv before.out after.out | awk -F, 'NR > 1 && $15 { print $1 ": " $15 }'
}
work() { # SELF of main, TOTAL of f
    printf '%s\n' "main $1" "f $2" "main f 1 $2"
}
work 1000 1000 | graph >before.out
work 1200 1800 | graph >after.out
notes 'a fifth of the change is its own'
work 1201 1800 | graph >after.out
notes 'more'
work 1201 1799 | graph >after.out
notes 'less than 80 % in the callee'
work 1000 1001 | graph >after.out
notes 'one more'
tree() { # TOTAL of g and h, callees of f, i and k below g
    printf '%s\n' 'main 10' 'f 10' 'g 10' "h $2" "i $1" "main f 1 $(($1 + $2 + 20))" "f g 1 $(($1 + 10))" "g i 1 $1" "f h 1 $2"
}
tree 1000 1000 | graph >before.out
tree 2000 2000 | graph >after.out
notes 'two halves'
tree 2000 2002 | graph >after.out
notes 'nearly half in g, and in h what is more'
tree 2002 2000 | graph >after.out
notes 'more than half in g'
half() { printf '%s\n' 'main 10' 'f 10' 'g 10' "h $2" "k $2" "i $1" "main f 1 $(($1 + $2 + $2 + 20))" "f g 1 $(($1 + 10))" "g i 1 $1" "f h 1 $2" "f k 1 $2"; }
half 1000 1000 | graph >before.out
half 1498 1251 | graph >after.out
notes 'less than half in g, which has more than the others'
printf '%s\n' 'main 10' 'f 10' 'g 1000' 'h 10' 'main f 1 510' 'f g 1 500' 'main h 1 510' 'h g 1 500' | graph >before.out
printf '%s\n' 'main 10' 'f 10' 'g 900' 'h 10' 'main f 1 810' 'f g 1 800' 'main h 1 110' 'h g 1 100' | graph >after.out
notes 'a callee that is less as a whole'
nested() { # CALL PATH, samples of num below it
    printf '%s;num %d\nmain;value;list 100000\nmain;value 50000\n' "$1" "$2"
}
for way in 'main;value;list;value;list;value' 'main;value;list;item;value;list;item;value' 'main;value;list;item;value;list'; do
    nested "$way" 100000 >before.out
    nested "$way" 400000 >after.out
    notes "$way"
done
printf 'main;visit;visit;visit %d\n' 100000 >before.out
printf 'main;visit;visit;visit %d\n' 300000 >after.out
notes 'its own, in recursion'
