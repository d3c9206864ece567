# Options for facts that a file of folded stacks does not have: frames with places, first frames with tasks.
printf '%s\n' 'java-12/34;run (a.c:3);f (libx.so) 1' 'java-12/35;run (a.c:4) 2' 'k worker/1-?/7;g 3' 'sh-9;g 4' 'odd;g 5' >x.folded
profkit convert -q -O names=place -O tasks --to folded -O threads -O lines x.folded -
echo == threads
profkit query --format csv -O tasks x.folded 'select p.pid, t.tid, s.text from thread t left join process p on p.id = t.process join string s on s.id = t.name'
echo == rbspy
printf '%s\n' '<main> - app.rb:3;block in run - lib/a - b.rb:12 1' '<main> - app.rb:4;sleep [c function] - (unknown):0 2' >y.folded
profkit tree --granularity line -O names=rbspy y.folded
echo == as they are
profkit convert -q --to folded x.folded -
# Separators of functions or lines are not part of a name, wherever they are.
echo '[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "name": ";a;\n\tb;"}, {"ph": "X", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "name": "\tc"}]' >names.json
profkit convert -q --to folded names.json -
