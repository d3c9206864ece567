# A name that does not fit ends the legend: no shorter one follows.
cat >trace.json <<'END'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"f","cat":"first"},
{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"f","cat":"a category whose name is longer than the legend has room for"},
{"ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"name":"f","cat":"last"}]
END
profkit timeline --color category --width 400 trace.json | grep -o '<rect x="[0-9.]*" y="[0-9]*" width="12".*'
