# Which functions are taken for renamed, at the limits. Half of callers and callees are the same, and names (the share of common
# begin and end), numbers of calls (a half) and costs within a quarter (a quarter) make a half together; of the same name in
# another file, a quarter of callers and callees is enough.
graph() { # FUNCTION SELF, and CALLER CALLEE CALLS TOTAL, a line each: as callgrind, whose counts are exact
    awk 'BEGIN { print "events: Ir" } NF == 2 { print "fn=" $1 "\n1 " $2 } NF == 4 { print "fn=" $1 "\ncfn=" $2 "\ncalls=" $3 " 1\n1 " $4 }'
}
notes() { # TITLE: what is said about before.out and after.out
    echo "== $1"
    profkit diff -q --sort name --format csv before.out after.out | awk -F, '$15 ~ /renamed/ { print $1 ": " $15 " (" $14 ")" }'
}
called() { # NAME CALLS COST
    printf '%s\n' 'main 10' "$1 $3" "main $1 $2 $3" 'main rest 1 5000' 'rest 5000'
}
pair() { # TITLE, then NAME CALLS COST before and after
    called "$2" "$3" "$4" | graph >before.out
    called "$5" "$6" "$7" | graph >after.out
    notes "$1"
}
pair 'names: half of the characters' abcxyz 3 1000 abcuvw 4 5000
pair 'names: less' abcxyzz 3 1000 abcuvww 4 5000
pair 'names: begin and end' abxxxxcd 3 1000 abyyyycd 4 5000
pair 'names: less at begin and end' abxxxxxcd 3 1000 abyyyyycd 4 5000
pair 'names: a part that is begin and end' abab 3 1000 abuvwab 4 5000
pair 'names: begin and end overlap' aaa 3 1000 aabbaaa 4 5000
pair 'names: the whole name is the begin of the other' ab 3 1000 abcde 4 5000
pair 'calls' abc 3 1000 xyz 3 5000
pair 'one call' abc 1 1000 xyz 1 5000
pair 'other calls' abc 3 1000 xyz 2 1000
pair 'cost, and a quarter of the name' abcdefgh 3 1000 abuvwxyz 4 1333
pair 'cost, and less of the name' abcdefghi 3 1000 abuvwxyzj 4 1333
calls() { # NAME CALLEE...
    local name=$1 callee
    printf '%s\n' 'main 10' "main $1 1 1000" "$1 1000" 'main rest 1 5000' 'rest 5000'
    shift
    for callee; do printf '%s\n' "$name $callee 1 100" "$callee 100" "rest $callee 1 100"; done
}
calls old_reader a b | graph >before.out
calls new_reader a c | graph >after.out
notes 'half of the relatives'
calls new_reader c d | graph >after.out
notes 'less'
for root in 'abc 100' 'xyz 500'; do
    set -- $root
    printf '%s\n' "$1 $2" "$1 a 1 10" "$1 b 1 10" 'a 10' 'b 10' | graph >$1.out
done
mv abc.out before.out
mv xyz.out after.out
notes 'never called'
printf '%s\n' 'main 10' 'a 100' 'main a 1 100' 'read_it 100' 'main read_it 1 120' 'read_it a 1 20' | graph >before.out
printf '%s\n' 'main 10' 'a 100' 'main a 1 220' 'read_its 100' 'main read_its 1 50' 'a read_its 1 50' | graph >after.out
notes 'its callee calls it'
# Of several the most similar one is taken, of equal ones the first; each once.
printf '%s\n' 'main 10' 'main read_it 1 1000' 'read_it 1000' 'main read_at 1 1000' 'read_at 1000' | graph >before.out
printf '%s\n' 'main 10' 'main read_itx 1 1000' 'read_itx 1000' | graph >after.out
notes 'two that are gone'
printf '%s\n' 'main 10' 'main read_its 1 1000' 'read_its 1000' 'main read_itx 1 1000' 'read_itx 1000' | graph >after.out
printf '%s\n' 'main 10' 'main read_it 1 1000' 'read_it 1000' | graph >before.out
notes 'two that are new'
# A function that moved to another file has its callers still; there, others of its name may be.
moved() { # FILE CALLEE...
    printf 'events: Ir\nfl=main.c\nfn=main\n1 10\ncfi=%s\ncfn=f\ncalls=1 1\n1 1000\ncfi=main.c\ncfn=rest\ncalls=1 1\n1 5000\n' "$1"
    printf 'fn=rest\n1 5000\nfl=%s\nfn=f\n1 1000\n' "$1"
    shift
    for callee; do printf 'cfi=main.c\ncfn=%s\ncalls=1 1\n1 10\n' "$callee"; done
    echo fl=main.c
    for callee; do printf 'fn=%s\n1 10\n' "$callee"; done
}
moved old.c >before.out
moved new.c a b c >after.out
notes 'a quarter'
moved new.c a b c d >after.out
notes 'less than a quarter'
# Renamed callers are found first, in three rounds.
levels() { # PREFIX
    local above=main i
    for i in 1 2 3 4; do
        printf '%s\n' "$above $1$i 1 $((900 - 100 * i))" "$1$i 90" "$1$i kept$i 1 10" "kept$i 10"
        above=$1$i
    done
}
levels read_ | graph >before.out
levels load_ | graph >after.out
notes 'levels'
