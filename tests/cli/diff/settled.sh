# A renamed function is no change if its cost stayed: counts exactly, times within a quarter.
graph() { # FUNCTION SELF, and CALLER CALLEE CALLS TOTAL, a line each: as callgrind, whose counts are exact
    awk 'BEGIN { print "events: Ir" } NF == 2 { print "fn=" $1 "\n1 " $2 } NF == 4 { print "fn=" $1 "\ncfn=" $2 "\ncalls=" $3 " 1\n1 " $4 }'
}
times() { # NAME SECONDS CALLS: as cProfile
    python3 -c 'import marshal, sys
name, seconds, calls, main = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), ("a.py", 1, "main")
marshal.dump({main: (1, 1, 1.0, 1 + seconds, {}), ("a.py", 5, name): (calls, calls, seconds, seconds, {main: (calls, calls, seconds, seconds)})},
             sys.stdout.buffer)' "$@"
}
notes() { # MEASURE: the verdict on the new name
    profkit diff -q --measure "$1" --match its --format csv before.out after.out | awk -F, -v measure="$1" 'NR > 1 { print measure, $6, $14 ": " $15 }'
}
for kind in graph times; do
    if [ $kind = graph ]; then printf '%s\n' 'main 10' 'main read_it 8 1000' 'read_it 1000' | graph; else times read_it 1 8; fi >before.out
    echo "== $kind"
    for after in '1000 8' '1250 8' '1251 9'; do
        set -- $after
        if [ $kind = graph ]; then
            printf '%s\n' 'main 10' "main read_its $2 $1" "read_its $1" | graph
        else
            times read_its ${1%???}.${1#?} $2
        fi >after.out
        for measure in self total calls; do
            notes $measure
        done
    done
done
