# Functions whose names are addresses stay apart in a file that profkit wrote.
printf 'main;0x401136 5\nmain;0x401150 3\n' >a.folded
profkit convert -q --to gecko a.folded g.json
profkit convert -q --to folded g.json -
