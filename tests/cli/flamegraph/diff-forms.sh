# --diff takes the next operand where another option stands between them.
a=$TESTDATA/folded/recursion.folded b=$TESTDATA/folded/one-frame.folded
profkit flamegraph --diff "$a" "$b" -o 1.svg
profkit flamegraph --diff -o 2.svg "$a" "$b"
profkit flamegraph -o 3.svg "$b" --diff="$a"
profkit flamegraph --diff --title x -o 4.svg "$a" "$b"
cmp 1.svg 2.svg
cmp 1.svg 3.svg
grep -c '>x<' 4.svg
profkit callgraph --diff -o 5.dot "$a" "$b"
profkit callgraph --diff "$a" -o 6.dot "$b"
cmp 5.dot 6.dot
status 2 profkit flamegraph --diff -o 7.svg
status 2 profkit flamegraph "$b" --title -o 7.svg
profkit flamegraph --title=-o "$b" | grep -c '>-o<'
profkit hotspots --match -x "$b" | head -n 1
