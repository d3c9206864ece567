# The spans of a joined box, for the script: of each begin after that of the box, duration, both in ns to the base 36,
# and number of the name. 50, 60 and 40 are 1e, 1o and 14.
cat >trace.json <<'END'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"f"},
{"ph":"X","pid":1,"tid":2,"ts":10,"dur":0.05,"name":"a"},
{"ph":"X","pid":1,"tid":2,"ts":10.06,"dur":0.04,"name":"b"}]
END
profkit timeline --width 1020 trace.json | grep -o ' data-s="[^"]*"'
