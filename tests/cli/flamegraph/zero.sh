# Functions that took no time are not drawn, those beside them are; values of two sides count in the finer unit of both.
boxes() { sed -n 's/.*<title>\(.*\)<.title><rect x="\([^"]*\)" width="\([^"]*\)" y="\([0-9]*\)".*/\1: \2 \3 \4/p'; }
cat >zero.json <<'END_OF_TRACE'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":0,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"b"},
{"ph":"X","pid":1,"tid":1,"ts":8,"dur":0,"name":"c"},{"ph":"X","pid":1,"tid":1,"ts":9,"dur":3,"name":"d"}]
END_OF_TRACE
profkit flamegraph -q zero.json -o - | boxes
printf 'a;b 7.5\na;c 2.5\n' >before.folded
printf 'a;b 4\na;c 6\n' >after.folded
profkit flamegraph --diff before.folded after.folded -o - | boxes
profkit flamegraph --diff after.folded before.folded -o - | boxes
# Paths that one side lacks and that are not drawn are counted.
printf 'a;b 5\na;x;y 3\nz;q 2\n' >before.folded
printf 'a;b 5\n' >after.folded
profkit flamegraph --diff before.folded --widths after after.folded -o x.svg
boxes <x.svg
sed -n 's/.*id="\(subtitle\|details\)"[^>]*>\(.*\)<.*/\1: \2/p' x.svg
# Over time, samples of one metric among those of another.
printf 'w 1/1 [000] 1.00000%d: %d %s:\n\t55 %s+0x1 (/srv/w)\n\n' 1 5 cycles f 2 3 faults g 3 7 cycles h 4 2 faults f \
    5 1 cycles h >two.perf
profkit flamegraph -q --chart -m cycles two.perf -o - | boxes
profkit flamegraph -q --chart -m faults two.perf -o - | boxes
# Threads beside each other, each from its first span to its last.
cat >threads.json <<'END_OF_TRACE'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":2,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":6,"dur":4,"name":"b"},
{"ph":"X","pid":1,"tid":2,"ts":4,"dur":5,"name":"c"},{"ph":"X","pid":1,"tid":2,"ts":5,"dur":1,"name":"d"}]
END_OF_TRACE
profkit flamegraph -q --chart threads.json -o - | boxes
profkit convert -q -t speedscope threads.json -o - | grep -o '"endValue": *[0-9]*'
# Colors of Python's own code, whatever the file.
printf '<built-in len> (/srv/a.py:3) 1\nf (/srv/a.py:3) 1\n<method x> 1\ng (/x/site-packages/b.py:1) 1\n' >names.txt
profkit flamegraph -q -f py-spy --colors python names.txt -o - |
    sed -n 's/.*<title>\([^ ]* [^ ]*\).*fill="#\([0-9a-f]*\)".*/\1 \2/p'
