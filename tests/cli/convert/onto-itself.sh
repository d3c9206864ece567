# The output may be an input: all is read before it is replaced; and nothing else is left.
cp "$TESTDATA/example/orders.folded" x.folded
profkit convert x.folded -o x.folded && sort x.folded | cmp - <(sort "$TESTDATA/example/orders.folded")
profkit convert --merge x.folded x.folded -o x.folded
profkit info x.folded --format csv | grep metric
ln x.folded link.folded
ln -s x.folded symlink.folded
profkit convert symlink.folded -o symlink.folded
ls
