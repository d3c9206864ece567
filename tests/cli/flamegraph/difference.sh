# Two counts a line are before and after; so are two files.
show() {
    sed -n 's/.*<title>\([^<]*\).*fill="\(#[^"]*\)".*/\1 \2/p; s/.*id="\(subtitle\|details\)"[^>]*>\(.*\)<.*/\1: \2/p' "$1"
}
printf 'a;b;c 10 12\na;b;d 5 2\na;e 3 3\nx;z 7.5 9\ny 1 0\n' >two.folded
profkit flamegraph two.folded -o 1.svg
show 1.svg
profkit flamegraph --negate two.folded -o 2.svg
show 2.svg
profkit flamegraph -m before two.folded -o 3.svg
show 3.svg
printf 'a;b 1\na;c 5\n' >before.folded
printf 'a;b 4\n' >after.folded
profkit flamegraph --diff before.folded after.folded -o 4.svg
show 4.svg
profkit flamegraph --diff before.folded --minwidth 0 --subtitle 'mine' "$TESTDATA/example/after.prof" || echo "status $?"
# Widths of one side; colors for every eye; functions that moved or are elsewhere are the same.
profkit flamegraph --diff before.folded --widths after after.folded -o 5.svg
show 5.svg
profkit flamegraph --diff before.folded --widths before --colors safe after.folded -o 6.svg
show 6.svg
profkit flamegraph --diff "$TESTDATA/diff/before.prof" "$TESTDATA/diff/elsewhere.prof" -o 7.svg
show 7.svg | grep -c 'unchanged)'
grep -o '<text id="title".*' 7.svg
profkit flamegraph --diff "$TESTDATA/diff/before.prof" "$TESTDATA/diff/moved.prof" -o 8.svg
show 8.svg
# What did not change is gray where people prefer a dark scheme.
profkit flamegraph --diff "$TESTDATA/example/before.prof" "$TESTDATA/example/before.prof" | grep -c 'dark){.*#ffffff.*{fill:#8e919a}'
