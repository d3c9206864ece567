# Processes with a sort index come before those without one, which are in the order of their begin.
cat >trace.json <<'END'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"f"},
{"ph":"X","pid":2,"tid":2,"ts":10,"dur":1,"name":"f"},
{"ph":"X","pid":3,"tid":3,"ts":5,"dur":1,"name":"f"},
{"ph":"M","pid":2,"name":"process_sort_index","args":{"sort_index":7}}]
END
profkit timeline trace.json | sed -n 's/.*class="lane".*>\(thread.*\)<.*/\1/p'
