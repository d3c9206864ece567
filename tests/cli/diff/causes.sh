# The part of a callee in a change is what it changed by, not what it costs. Of names that have only an end in common a
# function is taken for renamed if its cost stayed within a quarter.
printf 'main;big 5000\nmain;small;leaf 1000\n' >a.folded
printf 'main;big 5000\nmain;small;leaf 3000\n' >b.folded
profkit diff --measure total a.folded b.folded
profkit diff --measure total --normalize a.folded b.folded
printf 'main;parse_it 100\nmain;other 100\n' >a.folded
for cost in 1000 74 75 133 134; do
    printf 'main;paint_on %d\nmain;other 100\n' $cost >b.folded
    profkit diff a.folded b.folded | sed -n "s/ .*\(new\|moved\) */$cost: \1 /p"
done
# Functions that are gone or new are so in totals as well.
cd "$TESTDATA/diff"
profkit diff --measure total --format json before.prof gone.prof |
    grep -o '"function": "[a-z_]*"\|"ci_low.*"verdict": "[a-z]*"' | paste - -
profkit diff --measure total gone.prof before.prof | grep format_row
