# A folder of links to files that are elsewhere.
mkdir data runs
printf 'main;parse 10\n' > data/a.folded
printf 'main;write 5\n' > data/b.folded
ln -s ../data/a.folded "$PWD/data/b.folded" runs
ln -s ../data runs/folder
ln -s nothing runs/broken
profkit merge -q -o sum.folded runs
cat sum.folded
