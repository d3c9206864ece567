# Rules at work on times in seconds of a few functions: NAME F G H ZERO makes a run of it.
run() {
    printf 'main;f %d\nmain;g %d\nmain;h %d\n%s' "$2" "$3" "$4" "${5+main;z $5
}" >x.folded
    profkit convert -q x.folded -o "$1.prof"
}
several() { # NAME F G H: five runs that differ a little, each function in its own way
    for i in 1 2 3 4 5; do
        run "$1$i" $(($2 + 2 * i)) $(($3 + i * i)) $(($4 + (7 * i) % 5))
    done
}
check() { # BEFORE AFTER OPTIONS: without the texts, but why nothing is certain
    local before=$1 after=$2 file sides=()
    shift 2
    for file in $before; do sides+=(--baseline "$file"); done
    # shellcheck disable=SC2086
    profkit check -q --format csv "${sides[@]}" $after "$@" |
        sed '1d; s/^\([^"]*\),"\(.*\)"$/\1 \2/; s/ \(total\|self\) time.*; / /; s/ \(total\|self\) time.*//' || :
}
run a 100000 300000 600000
echo '== single: f a fifth more, then a half; g as much, but it is a smaller part of it'
run b 120000 300000 600000
check a.prof b.prof
run b 150000 350000 600000
check a.prof b.prof --fail 'self>5%' --fail 'self(g)>20%' --fail 'self>5%,60000s' --fail 'total>9%' --fail 'total>10%'
echo '== a new function, and one that took no time before'
run b 100000 300000 600000 60000
check a.prof b.prof --fail 'new>5%' --fail 'new>6%' --fail 'self>10%' --fail 'self>50000s' --fail 'self(z)>10%'
run zero 100000 300000 600000 0
check zero.prof b.prof --fail 'self>5%' --fail 'self>70000s' --fail 'new>5%'
echo '== what is gone or less'
check b.prof a.prof --fail 'self>0' --fail 'total>0'
echo '== five runs: f a fifth more, g a hundredth'
several a 100000 300000 600000
several b 120000 303000 600000
check 'a1.prof a2.prof a3.prof a4.prof a5.prof' 'b1.prof b2.prof b3.prof b4.prof b5.prof' \
    --fail 'self>5%' --fail 'self>19%' --fail 'self>21%' --fail 'self(g)>0.5%' --fail 'self(g)>2%' --fail 'total>1%' --fail 'total>3%'
echo '== two runs are too few'
check 'a1.prof a2.prof' 'b1.prof b2.prof' --fail 'self>5%' --fail 'total>1%' | sed 's/,[0-9.]*e-08,/,tiny,/'
# A slower machine is told from a slower program by what most of many functions do.
machine() { # NAME PERCENT F RUN: twelve functions at so many percent, and f
    local i
    for i in {1..12}; do echo "main;p$i $((i * 100 * $2 + $4 * i % 7))"; done >x.folded
    echo "main;f $3" >>x.folded
    profkit convert -q x.folded -o "$1.prof"
}
echo '== single: all twice as slow, f three times, then as all'
machine a 100 100000 0
machine b 200 300000 0
check a.prof b.prof --fail 'self>5%' --fail 'self(p7)>5%' --fail 'total>5%' --fail 'total>110%'
machine b 200 200000 0
check a.prof b.prof
echo '== five runs, the same'
for i in 1 2 3 4 5; do
    machine a$i 100 $((100000 + i)) $i
    machine b$i 200 $((300000 + 2 * i)) $i
    machine c$i 200 $((200000 + i * i)) $i
    machine d$i 200 $((250000 + i * i)) $i
done
for name in b c d; do
    check 'a1.prof a2.prof a3.prof a4.prof a5.prof' "${name}1.prof ${name}2.prof ${name}3.prof ${name}4.prof ${name}5.prof" \
        --fail 'self>5%' --fail 'total>5%'
done
echo '== g is 2%, then 4%, where parts from 1% on are looked at, then from 5% on'
several e 18000 400 1600
several f 18000 800 1600
for share in 1 5; do
    check 'e1.prof e2.prof e3.prof e4.prof e5.prof' 'f1.prof f2.prof f3.prof f4.prof f5.prof' --min-share $share --fail 'self(g)>5%'
    check e1.prof f1.prof --min-share $share --fail 'self(g)>5%'
done
echo '== a new function below the share; a rule on new has its own limit'
run n 18002 401 1607 10
check e1.prof n.prof --min-share 5 --fail 'self(z)>1s' --fail 'new(z)>0.001%' --fail 'self>10%'
check e1.prof n.prof --fail 'self(z)>1s'
echo '== calls: one more, many more; where runs differ, only what is above all of them'
cd "$TESTDATA/diff"
check called-before.prof called.prof --fail 'calls>0' --fail 'calls>1' --fail 'calls>1%'
check before.prof often.prof --fail 'calls>10%' --fail 'calls(price)>100%'
check 'called-before.prof called.prof' 'called.prof called-before.prof' --fail 'calls>0'
check 'called-before.prof called.prof' 'called.prof called.prof' --fail 'calls>0' --fail 'calls(re:.)>0'
check 'before.prof called-before.prof' 'often.prof often.prof' --fail 'calls(re:.)>0'
