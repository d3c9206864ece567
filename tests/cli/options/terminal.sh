# Pictures and binary files are not written to a terminal; text is.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
file=$TESTDATA/folded/one-frame.folded
status 2 in_terminal 80 flamegraph "$file"
status 2 in_terminal 80 callgraph --to svg "$file"
status 2 in_terminal 80 timeline "$TESTDATA/example/shop.json"
status 2 in_terminal 80 convert --to pstats "$file"
status 2 in_terminal 80 convert --to store "$file" -
in_terminal 80 convert --to folded "$file"
profkit flamegraph "$file" | grep -q '</svg>'

# Control characters of names are shown, not obeyed; in files they stay. Colors are profkit's own.
printf 'a\033[31m;b\302\2337 5\nd\377;e\007 3\n' >odd.folded
shown() {
    TERM=xterm in_terminal 80 "$@" | sed 's/\x1b/ESC/g; s/\r$//; s/\r/RETURN/g'
}
shown convert --to folded odd.folded
shown convert --to folded odd.folded -o /dev/tty
shown hotspots --format csv --csv-excel odd.folded
shown hotspots --format csv --color always odd.folded
shown hotspots odd.folded
shown query --format csv odd.folded "select char(27, 13, 9, 10, 13, 10) || 'x' as y"
profkit convert --to folded odd.folded - | cmp - odd.folded
