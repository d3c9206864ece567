# Which changes are cost that moved, at the limits. Callers and callees make up for a change if they changed by 80 to 120 % of it
# in the other direction, at most four of them; a function with the same caller by 90 to 110 %, several of these by 80 to 120 %, and
# only if the one or the others are new or gone.
graph() { # FUNCTION SELF, and CALLER CALLEE CALLS TOTAL, a line each: as callgrind, whose counts are exact
    awk 'BEGIN { print "events: Ir" } NF == 2 { print "fn=" $1 "\n1 " $2 } NF == 4 { print "fn=" $1 "\ncfn=" $2 "\ncalls=" $3 " 1\n1 " $4 }'
}
notes() { # TITLE: what is said about before.out and after.out
    echo "== $1"
    profkit diff -q --sort name --format csv before.out after.out | awk -F, '$14 == "shifted" { print $1 ": " $15 }'
}
echo 'f 2000' | graph >before.out
for part in 799 800 1250 1251; do
    printf '%s\n' 'f 1000' "part $part" "f part 1 $part" | graph >after.out
    notes "a callee with $part of 1000"
done
parts() { # COST...: parts of f, which had their cost itself
    echo 'f 1000'
    for cost; do i=$((${i-0} + 1)) && printf 'p%d %d\nf p%d 1 %d\n' $i "$cost" $i "$cost"; done
}
parts 600 100 300 200 | graph >after.out
notes 'the largest first'
parts 700 500 | graph >after.out
notes 'two with 1200 together'
parts 700 501 100 | graph >after.out
notes 'not more than that'
parts 210 200 200 195 195 | graph >after.out
notes 'four are enough'
parts 195 195 195 195 195 | graph >after.out
notes 'four are too few'
printf '%s\n' 'main 10' 'main f 1 2000' 'f 2000' 'other 5000' 'main other 1 5000' | graph >before.out
for cost in 899 900 1111 1112; do
    printf '%s\n' 'main 10' 'main f 1 1000' 'f 1000' "other $((5000 + cost))" "main other 1 $((5000 + cost))" | graph >after.out
    notes "another callee of the caller with $cost of 1000"
done
siblings() { # FUNCTION SELF...: callees of main
    echo 'main 10'
    while [ $# -gt 0 ]; do printf '%s %d\nmain %s 1 %d\n' "$1" "$2" "$1" "$2" && shift 2; done
}
siblings f 2000 a 5000 b 5000 | graph >before.out
siblings f 1000 a 5400 b 5450 | graph >after.out
notes 'several that stay'
siblings f 1000 a 5000 b 5000 new 400 added 450 | graph >after.out
notes 'several that are new'
siblings f 1000 a 5000 b 5000 new 390 added 400 | graph >after.out
notes 'too little'
{ siblings f 1000 a 5000 b 5000 new 400 && printf '%s\n' 'part 450' 'f part 1 450'; } | graph >after.out
notes 'a callee, and another callee of the caller'
siblings a 5400 b 5450 | graph >after.out
sed -i s/2000/1000/ before.out
notes 'gone, and several that stay'
siblings f 100000 a 500000 b 500000 | sed 's/^main \([a-z]*\) 1/main;\1/;/;/!d' >before.out
siblings f 50000 a 500000 new 20000 added 25000 b 500000 | sed 's/^main \([a-z]*\) 1/main;\1/;/;/!d' >after.out
notes 'sampled: new ones, and one that may have changed'
# What is called by two functions is counted once, and so is a caller that is called back.
printf '%s\n' 'one 10' 'two 10' 'f 1000' 'one f 1 500' 'two f 1 500' | graph >before.out
printf '%s\n' 'one 10' 'two 10' 'g 500' 'one g 1 250' 'two g 1 250' | graph >after.out
notes 'half of it, with two callers'
printf '%s\n' 'f 2000' 'g 500' 'f g 1 700' 'g f 1 200' | graph >before.out
printf '%s\n' 'f 1000' 'g 1000' 'f g 1 700' 'g f 1 200' | graph >after.out
notes 'half of it, which calls back'
# The largest change is explained first: with one and two together; less has to be left as it is.
printf '%s\n' 'main 10' 'small 1000' 'large 2000' 'one 10' 'two 10' 'main small 1 1000' 'main large 1 2000' |
    graph >before.out
printf '%s\n' 'small 500' 'large 1000' 'one 510' 'two 510' 'main small 1 500' 'large one 1 500' 'large two 1 500' 'small one 1 10' |
    graph >after.out
notes 'the largest change first'
