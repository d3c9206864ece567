# A trace becomes one of Perfetto, and is the same when it is read again; arguments are of every kind.
cat >trace.json <<'END'
[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"worker"}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"outer","cat":"a","args":{"n":-5,"r":0.5,"s":"x\ny","t":true,"z":null,"o":{"k":[1,{}]},"e":[]}},
{"ph":"X","pid":7,"tid":8,"ts":2.001,"dur":3,"name":"inner","cat":"a"},
{"ph":"X","pid":7,"tid":8,"ts":6,"dur":7,"name":"across","cat":"b"},
{"ph":"X","pid":9,"tid":9,"ts":5,"dur":1,"name":"work"},
{"ph":"s","pid":7,"tid":8,"ts":3,"name":"go","cat":"f","id":1},
{"ph":"f","bp":"e","pid":9,"tid":9,"ts":5.5,"name":"go","cat":"f","id":1},
{"ph":"i","pid":9,"tid":9,"ts":5.5,"name":"tick","args":{"of":"clock","a\"b\u00e4":1}},
{"ph":"C","pid":7,"ts":4,"name":"memory","args":{"used":7,"free":2.5}}]
END
profkit convert trace.json --to perfetto -o trace.pftrace
profkit info trace.pftrace
for file in trace.json trace.pftrace; do
    profkit query -q $file 'SELECT time, duration, function, category, thread, tid, pid FROM spans ORDER BY time'
    profkit query -q $file 'SELECT owner, key, value FROM argument ORDER BY 1, 2'
    profkit query -q $file 'SELECT (SELECT text FROM string WHERE id = name) AS name, (SELECT text FROM string WHERE id = series) AS series, time, value FROM counter ORDER BY 2'
    profkit query -q $file 'SELECT "from", "to" FROM flow'
done
# The place of a function is shown as arguments of its spans.
profkit convert -q "$TESTDATA/chrome/viztracer.json" --to perfetto -o places.pftrace
profkit query -q places.pftrace "SELECT DISTINCT key, value FROM argument WHERE key LIKE 'source%' ORDER BY 1, 2"
printf 'a;b 3\n' >stacks.folded
profkit convert stacks.folded --to perfetto -o x.pftrace
