# Sides are those of `diff`, or --baseline and the files; the page names the files of both.
cd "$TESTDATA/diff"
out=$OLDPWD
profkit report -o "$out/a.html" before.prof -- slower.prof
profkit report -o "$out/b.html" -b before.prof slower.prof
profkit report -o "$out/runs.html" -b run-a1.prof -b run-a2.prof -b run-a3.prof run-b1.prof run-b2.prof run-b3.prof
cd "$out"
cmp a.html b.html
grep -ho '^<title>.*</title>' a.html runs.html
grep -o '<footer>.*</footer>' a.html | sed 's/profkit [0-9.]*/profkit VERSION/'
grep -o '"files":"[^"]*"' a.html
grep -o '"says":\[[^]]*\]' a.html
cd "$TESTDATA/diff"
status 2 profkit report -b before.prof -o "$out/c.html" a.prof -- slower.prof
status 2 profkit report -b "$TESTDATA/example/orders.folded" -o "$out/c.html" slower.prof
ls "$out"
# Functions that differ in an address alone are one in the match.
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "main;<built-in method __new__ of type object at 0x%x> 1\n", 4096 + i * 16 }' >"$out/many.folded"
profkit report --max-size 256K -b "$out/many.folded" -o "$out/many.html" "$out/many.folded"
grep -c '^<title>many.folded' "$out/many.html"
# The last of three metrics: its paths have the values of both sides, those before first.
for after in 15 30; do
    printf 'events: Ir Dr Dw\n\nfn=main\n1 1 1 1\ncfn=f\ncalls=1 2\n1 10 20 %d\n\nfn=f\n2 10 20 %d\n' $after $after >"$out/$after.out"
done
cd "$out"
profkit report -m Dw -b 15.out -o three.html 30.out
grep -o '"comparison".*' three.html | grep -o '"metrics":\[[^}]*}[^}]*}\]'
