# The boxes of functions that are new or gone have the marks that the subtitle explains, in every width.
printf 'main;same 10\nmain;gone 5\nmain;less 9\n' >before.folded
printf 'main;same 10\nmain;new 6\nmain;less 4\n' >after.folded
for widths in after before both; do
    echo "== $widths"
    profkit flamegraph --diff before.folded --widths $widths after.folded -o x.svg
    sed -n 's/^<g><title>\([a-z]*\) .* class="\(new\|gone\)".*/\1: \2/p; s/.*\(dashed: .*\)<.text>/\1/p' x.svg
done
grep -E '\.(new|gone)' x.svg
