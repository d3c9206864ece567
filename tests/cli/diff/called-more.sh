# When a cost is explained by calls, at the limits: they make at least half of the change (of its logarithm), and a caller is
# named that makes 80 % of the additional calls.
graph() { # FUNCTION SELF, and CALLER CALLEE CALLS TOTAL, a line each: as callgrind, whose counts are exact
    awk 'BEGIN { print "events: Ir" } NF == 2 { print "fn=" $1 "\n1 " $2 } NF == 4 { print "fn=" $1 "\ncfn=" $2 "\ncalls=" $3 " 1\n1 " $4 }'
}
notes() { # TITLE, and options: what is said about before.out and after.out
    echo "== $1"
    shift
    profkit diff -q --format csv "$@" before.out after.out | awk -F, '$15 { print $1 ": " substr($0, index($0, $15)) }'
}
work() { # CALLS by one and by two, SELF
    printf '%s\n' 'one 10' 'two 10' "one f $1 $(($3 / 2))" "two f $2 $(($3 / 2))" "f $3"
}
work 5 5 1000 | graph >before.out
work 10 10 4000 | graph >after.out
notes 'half'
work 10 10 4002 | graph >after.out
notes 'less than half'
work 13 7 2000 | graph >after.out
notes 'one makes 80 %'
notes 'one makes 80 %: calls' -m calls
work 129 71 2000 | graph >after.out
work 50 50 1000 | graph >before.out
notes 'one makes 79 %'
notes 'one makes 79 %: calls' -m calls
work 5 25 300 | graph >after.out
notes 'fewer'
