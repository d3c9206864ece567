# A folder, a pattern and a list: the same result in any order and with any number of threads;
# copies, broken files and other files are left out and named.
mkdir -p runs/day2 empty
printf 'main;parse 10\nmain;write 5\n' > runs/a.folded
printf 'main;parse 1\nmain;send 2000\n' > runs/b.folded
printf 'main;parse 30\nmain;write 1\n' > runs/day2/c.folded
cp runs/a.folded runs/day2/copy.folded
echo 'How these were recorded' > runs/NOTES
head -c 900 "$TESTDATA/example/before.prof" > runs/cut.prof
profkit merge -o sum.folded runs
cat sum.folded
profkit merge -q -j 1 -o one.folded runs
cmp sum.folded one.folded
profkit merge -q -o pattern.folded 'runs/d*/*' 'runs/[ab]*'
cmp sum.folded pattern.folded
find runs -type f | sort > list
profkit merge -q -o list.folded @list
sort -r list | profkit merge -q -o list2.folded @-
cmp sum.folded list.folded
cmp sum.folded list2.folded
# The output is not read when it is in the folder.
profkit merge -q -o runs/sum.folded runs
profkit merge -q -o runs/sum.folded runs
cmp sum.folded runs/sum.folded
profkit merge -q -o runs/sum.folded 'runs/*.folded' runs/day2
cmp sum.folded runs/sum.folded
status 2 profkit merge -o runs/sum.folded 'runs/s*.folded'
rm runs/sum.folded
profkit merge -q -o runs/t.parquet/ runs
profkit merge -o runs/t.parquet/ runs 2> again
tail -n 1 again
rm -r runs/t.parquet
status 2 profkit merge --strict -o strict.folded runs
rm runs/cut.prof
profkit merge --strict -q -o strict.folded runs
cmp sum.folded strict.folded
status 2 profkit merge -o x.folded empty
status 2 profkit merge -o x.folded 'empty/*'
status 2 profkit merge -o x.folded @nothing
status 2 profkit merge -o x.folded @empty
printf 'runs/a.folded\nruns/b.folded\0/x\n' > odd
status 2 profkit merge -o x.folded @odd
head -c 100000 /dev/zero | tr '\0' x > odd
status 2 profkit merge -o x.folded @odd
status 2 profkit merge -o x.folded --run 1 runs
mkdir other
cp runs/NOTES other
status 2 profkit merge -o x.folded other
