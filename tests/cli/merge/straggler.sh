# A file that is much larger than all others is read by all threads, and the sum is that of one thread.
mkdir runs
yes 'main;parse;read 3' | head -c 68400000 >runs/large.folded || true
printf 'main;parse 7\n' >runs/small.folded
printf 'main;parse;read 2\n' >runs/other.folded
echo 'no profile' >runs/README
profkit merge -q -j1 -o one.folded runs
profkit merge -j4 -o four.folded runs
cmp one.folded four.folded
profkit merge -q -j4 -o - --to folded "runs/l*.folded"
cat four.folded
