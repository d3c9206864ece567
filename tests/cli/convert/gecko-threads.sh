# Threads keep their numbers.
cat >trace.json <<'END'
[{"ph":"X","pid":1,"tid":71,"ts":0,"dur":1,"name":"f"},
{"ph":"X","pid":1,"tid":72,"ts":0,"dur":1,"name":"f"}]
END
profkit convert -q trace.json --to gecko -o threads.gecko
profkit query -q --format csv threads.gecko 'select tid from thread order by tid'
