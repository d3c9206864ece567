# Names of processes, threads and counters: nothing twice, nothing without a name; marks below names.
cat >trace.json <<'END'
[{"ph":"M","pid":1,"tid":17,"name":"thread_name","args":{"name":"thread 17 (python)"}},
{"ph":"M","pid":2,"tid":1,"name":"thread_name","args":{"name":"pool-117"}},
{"ph":"X","pid":2,"tid":1,"ts":5,"dur":10,"name":"late"},
{"ph":"X","pid":1,"tid":17,"ts":0,"dur":20,"name":"early"},
{"ph":"i","pid":"","tid":"","ts":3,"name":"end","s":"g"},
{"ph":"i","pid":1,"tid":17,"ts":3,"name":"moment","s":"t"},
{"ph":"C","pid":1,"ts":0,"name":"GPU 0 memory","args":{"allocated":110244352,"reserved":4}},
{"ph":"C","pid":1,"ts":9,"name":"queue","args":{"length":1234567}},
{"ph":"C","pid":1,"ts":9,"name":"balance","args":{"value":-44}}]
END
profkit timeline --width 800 trace.json -o trace.svg
sed -n 's/<tspan[^>]*>/</g; s/.*class="\(lane\|process\)"[^>]* y="\([0-9.]*\)"[^>]*>\(.*\)<.text>/\1 \2 \3/p
    s/.*id="title"[^>]*>\([^<]*\).*/\1/p' trace.svg
grep -o 'class="mark".*' trace.svg
