# Copies are found; files whose begins, ends, or both are the same bytes are not copies.
mkdir runs
line() { printf 'main;function_%d %d\n' "$1" "$2"; }
many() { for i in {100..600}; do line $i $i; done; }
{ many; line 700 1; many; } > runs/a.folded
{ many; line 700 2; many; } > runs/middle.folded
{ line 700 2; many; many; } > runs/begin.folded
{ many; many; line 700 2; } > runs/end.folded
cp runs/middle.folded runs/n.folded
cp runs/a.folded runs/z.folded
profkit merge -o sum.folded runs
grep function_700 sum.folded
cat runs/{a,middle,begin,end}.folded | awk '{ sum += $2 } END { print sum }'
awk '{ sum += $2 } END { print sum }' sum.folded
profkit merge -q -j 1 -o one.folded runs
cmp sum.folded one.folded
