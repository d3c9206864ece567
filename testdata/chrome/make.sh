#!/bin/sh
# Writes the fixtures of trace events anew: all of them by hand, small enough to check.
cd "$(dirname "$0")" || exit 1

# Every member that most files have, and none that they lack.
cat >object.json <<'EOF'
{"displayTimeUnit": "ms", "traceEvents": [
{"ph": "M", "pid": 7, "tid": 7, "name": "process_name", "args": {"name": "server"}},
{"ph": "M", "pid": 7, "tid": 8, "name": "thread_name", "args": {"name": "pool \"1\""}},
{"ph": "M", "pid": 7, "tid": 8, "name": "thread_sort_index", "args": {"sort_index": 2}},
{"ph": "X", "pid": 7, "tid": 7, "ts": 100.5, "dur": 40, "cat": "http", "name": "request", "args": {"path": "/a", "bytes": 512}},
{"ph": "X", "pid": 7, "tid": 7, "ts": 110.5004, "dur": 9.9996, "cat": "db", "name": "query"},
{"ph": "X", "pid": 7, "tid": 7, "ts": 125, "dur": 1.5e1, "cat": "db", "name": "query"},
{"ph": "i", "pid": 7, "tid": 7, "ts": 126, "s": "t", "cat": "log", "name": "slow", "args": {"level": 3}},
{"ph": "C", "pid": 7, "ts": 127, "name": "memory", "args": {"used": 10.5, "free": "20"}},
{"ph": "X", "pid": 7, "tid": "8", "ts": "130", "dur": "5", "cat": "http", "name": "request"},
{"ph": "X", "pid": 7, "tid": 7, "ts": 141, "dur": 0, "name": "tick"},
{}],
"otherData": {"version": "1.2", "nothing": null}}
EOF

# Begins and ends, of which some match only with good will.
cat >begin-end.json <<'EOF'
[
{"ph": "B", "pid": 1, "tid": 1, "ts": 0, "name": "main", "args": {"a": 1, "b": 2}},
{"ph": "B", "pid": 1, "tid": 1, "ts": 2, "name": "left"},
{"ph": "E", "pid": 1, "tid": 1, "ts": 2, "name": "left"},
{"ph": "B", "pid": 1, "tid": 1, "ts": 2, "name": "right"},
{"ph": "B", "pid": 1, "tid": 1, "ts": 2, "name": "inner"},
{"ph": "E", "pid": 1, "tid": 1, "ts": 2},
{"ph": "E", "pid": 1, "tid": 1, "ts": 5, "name": "right"},
{"ph": "E", "pid": 1, "tid": 1, "ts": 5, "name": "nobody"},
{"ph": "E", "pid": 1, "tid": 1, "ts": 6, "name": "swapped"},
{"ph": "B", "pid": 1, "tid": 1, "ts": 6, "name": "swapped"},
{"ph": "B", "pid": 1, "tid": 1, "ts": 7, "name": "forgotten"},
{"ph": "E", "pid": 1, "tid": 1, "ts": 9, "name": "main", "args": {"b": 3, "c": 4}},
{"ph": "E", "pid": 1, "tid": 2, "ts": 1, "name": "first"},
{"ph": "B", "pid": 1, "tid": 2, "ts": 3, "name": "open"},
{"ph": "B", "pid": 1, "tid": 2, "ts": 4, "name": "open, too"}
]
EOF

# Ends before begins, threads one after the other: only times count.
cat >unsorted.json <<'EOF'
[{"ph": "E", "pid": 1, "tid": 1, "ts": 9, "name": "a"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "c"},
{"ph": "X", "pid": 1, "tid": 2, "ts": 5, "dur": 2, "name": "c"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 4, "dur": 4, "name": "b"},
{"ph": "B", "pid": 1, "tid": 1, "ts": 1, "name": "a"}]
EOF

# Spans that overlap go to lanes; what is late by no more than the resolution is shortened.
cat >overlap.json <<'EOF'
[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "name": "a"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 10, "name": "b"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 6, "dur": 2, "name": "c"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 7, "dur": 10, "name": "d"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 12, "dur": 2, "name": "e"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "dur": 10, "name": "f"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 25, "dur": 6, "name": "g"}]
EOF

# Arrows: through a span in between, to the next span, by ids of spans, ids used again, loose ends.
cat >flows.json <<'EOF'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "name": "a"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 2, "dur": 3, "name": "b"},
{"ph": "X", "pid": 1, "tid": 2, "ts": 5, "dur": 5, "name": "c"},
{"ph": "X", "pid": 1, "tid": 2, "ts": 20, "dur": 5, "name": "d"},
{"ph": "s", "pid": 1, "tid": 1, "ts": 3, "cat": "x", "name": "go", "id": 1},
{"ph": "t", "pid": 1, "tid": 2, "ts": 6, "cat": "x", "name": "go", "id": "1"},
{"ph": "f", "pid": 1, "tid": 2, "ts": 12, "cat": "x", "name": "go", "id": 1},
{"ph": "s", "pid": 1, "tid": 1, "ts": 6, "cat": "x", "name": "queue", "id": 2},
{"ph": "s", "pid": 1, "tid": 2, "ts": 7, "cat": "x", "name": "queue", "id": 2},
{"ph": "f", "pid": 1, "tid": 2, "ts": 20, "bp": "e", "cat": "x", "name": "queue", "id": 2},
{"ph": "f", "pid": 1, "tid": 2, "ts": 21, "bp": "e", "cat": "x", "name": "queue", "id": 2},
{"ph": "s", "pid": 1, "tid": 1, "ts": 15, "cat": "x", "name": "nowhere", "id": 3},
{"ph": "f", "pid": 1, "tid": 2, "ts": 21, "bp": "e", "cat": "x", "name": "nowhere", "id": 3},
{"ph": "f", "pid": 1, "tid": 2, "ts": 21, "bp": "e", "cat": "x", "name": "from nowhere", "id": 4},
{"ph": "X", "pid": 1, "tid": 3, "ts": 30, "dur": 1, "cat": "v2", "name": "out", "bind_id": "0x9", "flow_out": true},
{"ph": "X", "pid": 1, "tid": 3, "ts": 32, "dur": 1, "cat": "v2", "name": "in", "bind_id": "0x9", "flow_in": true},
{"ph": "X", "pid": 1, "tid": 3, "ts": 34, "dur": 1, "cat": "v2", "name": "in, too", "bind_id": "0x9", "flow_in": true}]}
EOF

# Spans that belong to no thread, new and old; what overlaps is on a lane of its own.
cat >async.json <<'EOF'
[{"ph": "b", "pid": 1, "tid": 1, "ts": 0, "cat": "net", "id": "0x1", "name": "load", "args": {"url": "a"}},
{"ph": "b", "pid": 1, "tid": 2, "ts": 2, "cat": "net", "id": "0x1", "name": "connect"},
{"ph": "n", "pid": 1, "tid": 2, "ts": 3, "cat": "net", "id": "0x1", "name": "found"},
{"ph": "e", "pid": 1, "tid": 2, "ts": 5, "cat": "net", "id": "0x1", "name": "connect"},
{"ph": "b", "pid": 1, "tid": 1, "ts": 4, "cat": "net", "id2": {"local": "0x2"}, "name": "load"},
{"ph": "e", "pid": 1, "tid": 1, "ts": 6, "cat": "net", "id2": {"local": "0x2"}, "name": "load"},
{"ph": "e", "pid": 1, "tid": 1, "ts": 9, "cat": "net", "id": "0x1", "name": "load", "args": {"bytes": 7}},
{"ph": "b", "pid": 1, "tid": 1, "ts": 9, "cat": "net", "id": "0x3", "name": "load"},
{"ph": "b", "pid": 2, "tid": 1, "ts": 3, "cat": "net", "id2": {"global": "0x4"}, "name": "across"},
{"ph": "e", "pid": 1, "tid": 1, "ts": 8, "cat": "net", "id2": {"global": "0x4"}, "name": "across"},
{"ph": "e", "pid": 1, "tid": 1, "ts": 9, "cat": "net", "id": "0x5", "name": "never begun"},
{"ph": "S", "pid": 1, "tid": 1, "ts": 10, "cat": "old", "id": 1, "name": "task"},
{"ph": "T", "pid": 1, "tid": 1, "ts": 12, "cat": "old", "id": 1, "name": "task", "args": {"step": "one"}},
{"ph": "T", "pid": 1, "tid": 1, "ts": 15, "cat": "old", "id": 1, "name": "task", "args": {"step": "two"}},
{"ph": "F", "pid": 1, "tid": 1, "ts": 20, "cat": "old", "id": 1, "name": "task"},
{"ph": "S", "pid": 1, "tid": 1, "ts": 20, "cat": "old", "id": 2, "name": "task"},
{"ph": "p", "pid": 1, "tid": 1, "ts": 22, "cat": "old", "id": 2, "name": "task", "args": {"step": "past"}},
{"ph": "S", "pid": 1, "tid": 1, "ts": 23, "cat": "old", "id": 2, "name": "task"},
{"ph": "F", "pid": 1, "tid": 1, "ts": 25, "cat": "old", "id": 2, "name": "task"}]
EOF

# A writer that died; a second trace behind the first; events in lines of their own.
printf '[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "name": "a"},\n{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "du' >cut.json
printf '[{"ph": "X", "pid": 1, "ts": 0, "dur": 10, "name": "a"},]\n{"traceEvents": [{"ph": "X", "pid": 2, "ts": 5, "dur": 1, "name": "b"}]}\n' >two.json
printf '{"ph": "X", "pid": 1, "ts": 0, "dur": 10, "name": "a"}\n{"name": "b", "ph": "X", "pid": 1, "ts": 5, "dur": 1}\n' >lines.json

# What is left out or mended, and said.
cat >odd.json <<'EOF'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": -5, "name": "negative"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "name": "no duration"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "dur": "0x2", "name": "odd duration"},
{"ph": "X", "pid": 1, "tid": 1, "dur": 2, "name": "no time"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 9223372036854775808, "dur": 2, "name": "too late"},
{"ph": "X", "pid": 1, "tid": 1, "ts": NaN, "dur": 2, "name": "not a number"},
{"pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "no phase"},
{"ph": "?", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "unknown phase"},
{"ph": "v", "pid": 1, "tid": 1, "ts": 1, "id": "0x1", "name": "dump", "args": {"dumps": {}}},
{"ph": "C", "pid": 1, "ts": 30, "id": "0xa", "name": "counter", "args": {"good": 1, "bad": "many"}},
{"ph": "X", "pid": "GPU", "tid": "stream 7", "ts": 40, "dur": 1, "name": 17},,
{"ph": "X", "pid": -1, "tid": 1.0, "ts": -50.0005, "dur": 1, "name": null}
{"ph": "X", "pid": 1, "tid": 1, "ts": 50, "dur": 1, "name": "C:\Users\x"},
7]}
EOF

# Samples beside spans that last, whose time is another metric; counts of a kind of event; a frame
# that is below itself; a profile of V8 in pieces, one sample of which comes before its time.
cat >samples.json <<'EOF'
{"traceEvents": [
{"ph": "X", "pid": 7, "tid": 7, "ts": 0, "dur": 50, "name": "frame"},
{"ph": "P", "pid": 7, "tid": 8, "ts": 5, "name": "tick"},
{"ph": "P", "pid": 7, "tid": 8, "ts": 9, "name": "tick", "sf": 3},
{"ph": "P", "pid": 7, "tid": 9, "ts": 10, "id": "0x1", "name": "Profile", "args": {"data": {"startTime": 8}}},
{"ph": "P", "pid": 7, "tid": 1, "ts": 20, "id": "0x1", "name": "ProfileChunk", "args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": 0}}, {"id": 2, "parent": 1, "callFrame": {"functionName": "", "url": "a.js", "lineNumber": 0}}, {"id": 3, "parent": 2, "callFrame": {"functionName": "f", "url": "a.js", "lineNumber": 4}}], "samples": [2, 3]}, "timeDeltas": [2, 10]}}},
{"ph": "P", "pid": 7, "tid": 1, "ts": 40, "id": "0x1", "name": "ProfileChunk", "args": {"data": {"cpuProfile": {"nodes": [{"id": 4, "parent": 1, "callFrame": {"functionName": "(idle)", "scriptId": 0}}], "samples": [3, 4]}, "timeDeltas": [10, -4]}}}],
"stackFrames": {"1": {"name": "main", "category": "app"}, "2": {"name": "run", "parent": 1}, "3": {"name": "loop", "parent": "4"}, "4": {"name": "pool", "parent": 3}},
"samples": [{"ts": "10", "pid": 7, "tid": "7", "name": "", "sf": 2, "weight": "1", "cpu": "-1"},
{"ts": 14, "pid": 7, "tid": 7, "sf": 1}, {"ts": 15, "pid": 7, "tid": 7, "name": "", "sf": 99},
{"ts": 15, "pid": 7, "tid": 7, "name": "cycles", "sf": 2, "weight": 300}, {"sf": 2}]}
EOF

# V8 in a trace: lines of samples, and the event of Chrome before 2018 with a whole profile, whose nodes list their children.
cat >v8.json <<'EOF'
[{"ph": "P", "pid": 7, "tid": 9, "ts": 10, "id": "0x1", "name": "Profile", "args": {"data": {"startTime": 8}}},
{"ph": "P", "pid": 7, "tid": 1, "ts": 20, "id": "0x1", "name": "ProfileChunk", "args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": 0}}, {"id": 2, "parent": 1, "callFrame": {"functionName": "main", "url": "a.js", "lineNumber": 0}}, {"id": 3, "parent": 2, "callFrame": {"functionName": "f", "url": "a.js", "lineNumber": 4}}, {"id": 4, "parent": 1, "callFrame": {"functionName": "(idle)", "scriptId": 0}}], "samples": [2, 3, 3, 4]}, "timeDeltas": [2, 10, 10, 10], "lines": [1, 6, 7, 9]}}},
{"ph": "P", "pid": 7, "tid": 1, "ts": 50, "id": "0x1", "name": "ProfileChunk", "args": {"data": {"cpuProfile": {"samples": [3, 2]}, "timeDeltas": [10, 10], "lines": [6]}}},
{"ph": "I", "pid": 7, "tid": 11, "ts": 90, "name": "CpuProfile", "args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": ""}, "children": [2, 4]}, {"id": 2, "callFrame": {"functionName": "work", "url": "w.js", "lineNumber": 1}, "children": [3]}, {"id": 3, "callFrame": {"functionName": "", "url": "w.js", "lineNumber": 7}}, {"id": 4, "callFrame": {"functionName": "(program)", "url": ""}}], "startTime": 60, "endTime": 90, "samples": [4, 3, 2, 99], "timeDeltas": [5, 5, 10, 5]}}}},
{"ph": "I", "pid": 7, "tid": 12, "ts": 91, "name": "CpuProfile", "args": {"data": {"cpuProfile": {"nodes": [{"id": 2, "callFrame": {"functionName": "other", "url": "o.js", "lineNumber": 1}}], "startTime": 70, "samples": [2], "timeDeltas": [5]}}}},
{"ph": "I", "pid": 7, "tid": 12, "ts": 92, "s": "t", "name": "CpuProfile", "args": {"data": null}}]
EOF

# Dialects.
cat >viztracer.json <<'EOF'
{"traceEvents": [
{"ph": "M", "pid": 7, "tid": 7, "name": "process_name", "args": {"name": "MainProcess"}},
{"ph": "M", "pid": 7, "tid": 7, "name": "thread_name", "args": {"name": "MainThread"}},
{"pid": 7, "tid": 7, "ts": 81.500, "ph": "X", "dur": 2.000, "name": "list.append", "cat": "fee"},
{"pid": 7, "tid": 7, "ts": 81.000, "ph": "X", "dur": 4.001, "name": "Cart.add (/srv/shop (1).py:12)", "args": {"return_value": "None"}, "cat": "fee"},
{"pid": 7, "tid": 7, "ts": 80.000, "ph": "X", "dur": 5.000, "name": "<lambda> (/srv/main.py:3)", "cat": "FEE"},
{"pid": 7, "tid": 7, "ts": 80.000, "ph": "X", "dur": 5.000, "name": "<module> (/srv/main.py:1)", "cat": "FEE"},
{"ph": "M", "pid": 8, "tid": 7, "name": "process_name", "args": {"name": "ForkPoolWorker-1"}},
{"pid": 8, "tid": 7, "ts": 82.000, "ph": "B", "dur": 0.000, "name": "work (/srv/main.py:9)", "cat": "fee"},
{"pid": 8, "tid": 7, "ts": 84.000, "ph": "X", "dur": 1.000, "name": "posix.read", "cat": "fee"},
{"pid": 7, "tid": 7, "ts": 83, "ph": "i", "cat": "instant", "name": "print - hello", "s": "t", "args": null},
{"pid": 7, "tid": 7, "ts": 84, "ph": "C", "name": "total", "args": {"value": 3, "odd": true}},
{"pid": 7, "tid": 7, "ts": 84.5, "ph": "O", "id": "1399", "name": "state", "args": {"snapshot": {"wert": 1}}}],
"viztracer_metadata": {"version": "1.1.1", "overflow": true, "baseTimeNanoseconds": 1795236862000000000},
"file_info": {"files": {"/srv/main.py": ["pass\n", 1]},
"functions": {"Cart.add (/srv/shop (1).py:12)": ["/srv/shop (1).py", 12]}}}
EOF
# A report of viztracer as a page: the trace within the script of Chromium's viewer.
cat >page.html <<'EOF'
<!DOCTYPE html>
<script>
      document.body.textContent = 'trace_viewer_full.html is missing. ';
      return JSON.parse(text)['traceEvents'];
</script>
<script>
  json_data = {"traceEvents": [
{"ph": "M", "pid": 7, "tid": 7, "name": "process_name", "args": {"name": "MainProcess"}},
{"pid": 7, "tid": 7, "ts": 81.000, "ph": "X", "dur": 4.001, "name": "show (/srv/page.py:4)", "args": {"return_value": "'<\/script>'"}, "cat": "fee"},
{"pid": 7, "tid": 7, "ts": 80.000, "ph": "X", "dur": 5.001, "name": "<module> (/srv/page.py:1)", "cat": "fee"}],
"viztracer_metadata": {"version": "1.1.1", "overflow": false}, "displayTimeUnit": "ns",
"file_info": {"files": {"/srv/page.py": ["# a page\n\n\ndef show():\n    return '<\/script>'\nshow()\n", 6],
"/srv/empty.py": ["", 0]}, "functions": {"show (/srv/page.py:4)": ["/srv/page.py", 4]}}};
  function load() { return {"traceEvents": []}; }
</script>
EOF
cat >py-spy.json <<'EOF'
[{"args":{"filename":"","line":0},"cat":"py-spy","name":"thread (14548): main","ph":"B","pid":7,"tid":140131092500544,"ts":100},{"args":{"filename":"/srv/a.py","line":3},"cat":"py-spy","name":"run","ph":"B","pid":7,"tid":140131092500544,"ts":100},{"args":{"filename":"/srv/a.py","line":3},"cat":"py-spy","name":"run","ph":"E","pid":7,"tid":140131092500544,"ts":200},{"args":{"filename":"/srv/a.py","line":4},"cat":"py-spy","name":"run","ph":"B","pid":7,"tid":140131092500544,"ts":200},{"args":{"filename":"/usr/lib/libm.so.6","line":null},"cat":"py-spy","name":"sqrt","ph":"B","pid":7,"tid":140131092500544,"ts":200},{"args":{"filename":"/usr/lib/libm.so.6","line":null},"cat":"py-spy","name":"sqrt","ph":"E","pid":7,"tid":140131092500544,"ts":300},{"args":{"filename":"/srv/a.py","line":4},"cat":"py-spy","name":"run","ph":"E","pid":7,"tid":140131092500544,"ts":400},{"args":{"filename":"","line":0},"cat":"py-spy","name":"thread (14548): main","ph":"E","pid":7,"tid":140131092500544,"ts":400}]
EOF
cat >jax.json <<'EOF'
{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"XLA Modules"}},
{"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Compute)"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"M","pid":701,"tid":12,"name":"thread_name","args":{"name":"python"}},
{"ph":"X","pid":701,"tid":12,"ts":60.710000000000001,"dur":312.92200000000003,"name":"$train.py:41 step","args":{"step_num":"0"}},
{"ph":"X","pid":701,"tid":12,"ts":70,"dur":9.9999999999999995e-07,"name":"$<unknown> __exit__"},
{"ph":"X","pid":701,"tid":12,"ts":80,"dur":20.5,"name":"PjitFunction(step)"},
{"ph":"X","pid":1,"tid":1,"ts":90,"dur":30,"name":"jit_step(123)"},
{"ph":"X","pid":1,"tid":13,"ts":90,"dur":10,"name":"fusion.1","args":{"hlo_op":"fusion.1"}},
{"ph":"X","pid":1,"tid":13,"ts":105,"dur":15,"name":"PjitFunction(step)"},
{"ph":"X","pid":701,"tid":12,"ts":400,"dur":60,"name":"$train.py:60 run"},
{"ph":"X","pid":701,"tid":12,"ts":405,"dur":10,"name":"$profiler.py:385 __init__"},
{"ph":"X","pid":701,"tid":12,"ts":410,"dur":40,"name":"train","args":{"step_num":"1"}},
{"ph":"X","pid":701,"tid":12,"ts":420,"dur":20,"name":"$train.py:41 step"},
{"ph":"X","pid":701,"tid":12,"ts":448,"dur":4,"name":"$<unknown> __exit__"},
{}]}
EOF

# Backslashes of Windows that hide a quote, names that are not escaped: others are read.
cat >broken.json <<'EOF'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "name": "good", "args": {"a": [{"b": 1}, {"c": 2}]}},
{"ph": "X", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "name": "C:\Windows\", "args": {"a": 1}},
{"ph": "X", "pid": 1, "tid": 1, "ts": 30, "dur": 5, "name": "good"}
{"ph": "X", "pid": 1, "tid": 1, "ts": 40, "dur": 5, "name": "say "hello"", "args": {"list": [{"x": 1}, {"y": 2}]}},
{"ph": "X", "pid": 1, "tid": 1, "ts": 50, "dur": 5, "name": "good"},
{"ph": "X", "pid": 1, "tid": 1, "ts": 60, "dur": 5, "name": bad}
]}
EOF

printf '{"traceEvents": {"ph": "X"}}\n' >bad/no-list.json
printf '{"displayTimeUnit": "ms"}\n' >bad/no-events.json
printf '<!doctype html><html></html>\n' >bad/page.json
printf '[{"ph": "X", "ts": 1, "dur": 1, "name": broken}]\n' >bad/broken.json
printf '<!DOCTYPE html>\n<script>trace_viewer_full.html</script>\n' >bad/viewer.html
printf '\1\0\0\0\0\0\0\0\2\7\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0main\0' >bad/compressed.cvf
