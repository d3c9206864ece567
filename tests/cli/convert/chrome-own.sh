# Trace events that are written as profkit writes them are the same again: names of what, labels and order of processes
# and threads, texts instead of numbers, series of one counter, asynchronous spans, arrows, and what each program
# puts into names.
same() {
    cat >a.json
    profkit convert a.json --to chrome -o b.json
    diff a.json b.json
}
same <<'END'
{"displayTimeUnit":"ms",
"version":3,
"note":"a \"b\"",
"a":true,
"b":false,
"d":-1.5e3,
"e":"007",
"f":"1.5x",
"g":"e",
"h":[1],
"i":{"x":"y"},
"traceEvents":[
{"ph":"M","name":"process_name","pid":7,"args":{"name":"app"}},
{"ph":"M","name":"process_sort_index","pid":7,"args":{"sort_index":-2}},
{"ph":"M","name":"process_labels","pid":7,"args":{"labels":"a, b"}},
{"ph":"M","name":"process_labels","pid":"7 up","args":{"labels":"c"}},
{"ph":"M","name":"thread_name","pid":7,"tid":3,"args":{"name":"main"}},
{"ph":"M","name":"thread_sort_index","pid":7,"tid":3,"args":{"sort_index":4}},
{"ph":"X","name":"load","cat":"io","pid":7,"tid":3,"ts":0,"dur":1000.5,"args":{"n":1}},
{"ph":"X","name":"read","pid":7,"tid":3,"ts":0.25,"dur":0.001},
{"ph":"X","name":"a.py(3): main","cat":"io","pid":7,"tid":3,"ts":5,"dur":10},
{"ph":"X","name":"wait","pid":"7 up","tid":"one","ts":12.01,"dur":100},
{"ph":"b","name":"request","cat":"net","pid":7,"ts":2,"id":"0x5"},
{"ph":"e","name":"request","cat":"net","pid":7,"ts":9,"id":"0x5"},
{"ph":"s","name":"go","cat":"go","pid":7,"tid":3,"ts":0.25,"id":1},
{"ph":"f","name":"go","cat":"go","pid":"7 up","tid":"one","ts":12.01,"id":1,"bp":"e"},
{"ph":"i","name":"here","cat":"io","pid":7,"tid":3,"ts":8,"s":"t","args":{"why":"so"}},
{"ph":"C","name":"queue","pid":7,"ts":1,"args":{"in":1,"out":2.5}},
{"ph":"C","name":"queue","pid":7,"ts":2,"args":{"in":3}},
{"ph":"C","name":"GPU memory","pid":7,"ts":2,"args":{"in":4}},
{"ph":"C","name":"queue","pid":"7 up","ts":2,"args":{"in":0}}
]}
END
# Times before 0 and long after it; an arrow begins where no other span runs; what is long comes last; output in
# several parts.
same <<END
{"traceEvents":[
{"ph":"X","name":"late","pid":1,"tid":1,"ts":1000000.5,"dur":10},
{"ph":"X","name":"one","pid":1,"tid":1,"ts":1000000.5,"dur":4},
{"ph":"X","name":"two","pid":1,"tid":1,"ts":1000004.5,"dur":1.5},
$(for i in {1..1500}; do echo "{\"ph\":\"X\",\"name\":\"f\",\"pid\":1,\"tid\":2,\"ts\":$((1000000 + i)).75,\"dur\":0.25},"; done)
{"ph":"s","name":"go","cat":"go","pid":1,"tid":1,"ts":1000006.001,"id":1},
{"ph":"f","name":"go","cat":"go","pid":1,"tid":2,"ts":1000009.75,"id":1,"bp":"e"}
],
"long":"$(printf '%01200d' 0)x"}
END
same <<'END'
{"traceEvents":[
{"ph":"X","name":"a","pid":1,"tid":1,"ts":-1.3,"dur":0.9},
{"ph":"X","name":"c","pid":1,"tid":1,"ts":-0.7,"dur":0.1},
{"ph":"X","name":"b","pid":1,"tid":1,"ts":-0.3,"dur":0.2}
]}
END
# 100 series of a counter are one event.
{
    echo '[{"ph":"X","name":"f","pid":1,"tid":1,"ts":0,"dur":9},'
    series=$(printf '"s%d":1,' {1..150})
    for ts in 1 2; do echo "{\"ph\":\"C\",\"name\":\"many\",\"pid\":1,\"ts\":$ts,\"args\":{${series%,}}},"; done
    echo '{"ph":"X","name":"f","pid":1,"tid":1,"ts":9,"dur":9}]'
} >many.json
profkit convert many.json --to chrome -o - | sed -n 's/.*"ts":\([0-9]*\),"args":{"\(s[0-9]*\)":.*"\(s[0-9]*\)":1}.*/\1 \2 to \3/p'
same <<'END'
{"schemaVersion":1,
"deviceProperties":[],
"traceEvents":[
{"ph":"M","name":"process_labels","pid":4,"args":{"labels":"CPU"}},
{"ph":"X","name":"a.py(3): main","cat":"python_function","pid":4,"tid":4,"ts":0,"dur":100},
{"ph":"X","name":"<built-in function len>","cat":"python_function","pid":4,"tid":4,"ts":10,"dur":10},
{"ph":"X","name":"nn.Module: Linear_0","cat":"python_function","pid":4,"tid":4,"ts":30,"dur":50},
{"ph":"X","name":"a.py(3): main","cat":"cpu_op","pid":4,"tid":4,"ts":31,"dur":5},
{"ph":"X","name":"aten::mm","cat":"cpu_op","pid":4,"tid":4,"ts":40,"dur":5},
{"ph":"X","name":"PyTorch Profiler (0)","cat":"Trace","pid":"Spans","tid":"PyTorch Profiler","ts":20,"dur":60},
{"ph":"i","name":"Iteration Start: PyTorch Profiler","cat":"Trace","pid":"Traces","tid":"Trace PyTorch Profiler","ts":20,"s":"t"}
]}
END
same <<'END'
{"viztracer_metadata":{"version":"1.0"},
"traceEvents":[
{"ph":"X","name":"main (/a.py:3)","cat":"FEE","pid":4,"tid":4,"ts":0,"dur":100},
{"ph":"X","name":"len","cat":"FEE","pid":4,"tid":4,"ts":10,"dur":10},
{"ph":"X","name":"load (/b.py:5)","cat":"FEE","pid":4,"tid":4,"ts":30,"dur":10}
],
"file_info":{"files":{"/a.py":["x\ny\n",2],"/b.py":["z",0]},"functions":{"main (/a.py:3)":["/a.py",3],"load (/b.py:5)":["/b.py",5]}}}
END
same <<'END'
{"displayTimeUnit":"ns",
"metadata":{"highres-ticks":true},
"traceEvents":[
{"ph":"M","name":"process_name","pid":5,"args":{"name":"/host:CPU"}},
{"ph":"M","name":"process_name","pid":4,"args":{"name":"/device:GPU:0"}},
{"ph":"M","name":"thread_name","pid":5,"tid":4,"args":{"name":"python"}},
{"ph":"X","name":"$a.py:3 main","pid":5,"tid":4,"ts":0,"dur":100},
{"ph":"X","name":"$builtins len","pid":5,"tid":4,"ts":10,"dur":10},
{"ph":"X","name":"$<unknown> f","pid":5,"tid":4,"ts":30,"dur":10},
{"ph":"X","name":"main","pid":5,"tid":4,"ts":50,"dur":10},
{"ph":"X","name":"main","pid":4,"tid":4,"ts":50,"dur":10}
]}
END
# Of other profiles otherData tells what they say of themselves.
profkit convert -q "$TESTDATA/pyinstrument/tree-v5.json" --to chrome -o - | grep otherData
profkit convert -q "$TESTDATA/perf-script/header.perf" --to chrome -o - | grep otherData
# Functions that have files; threads without numbers.
cat >spans.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json",
"shared":{"frames":[{"name":"main","file":"/a.py","line":3},{"name":"len"}]},
"profiles":[{"type":"evented","name":"one","unit":"microseconds","startValue":0,"endValue":9,"events":[
{"type":"O","at":0,"frame":0},{"type":"O","at":2,"frame":1},{"type":"C","at":5,"frame":1},{"type":"C","at":9,"frame":0}]},
{"type":"evented","name":"two","unit":"microseconds","startValue":0,"endValue":9,"events":[
{"type":"O","at":1,"frame":1},{"type":"C","at":9,"frame":1}]}]}
END
profkit convert -q spans.json --to chrome -o -
printf 'a 1\n' | profkit convert -q -f folded -O metric=samples - --to chrome -o - | grep '"X"'
# Counters that torch's memory events became are left out; others stay, wherever they are.
sed '/^], "traceName"/s/^/,{"ph": "C", "name": "queue", "pid": 1, "ts": 220, "args": {"long": 3}}\n/' "$TESTDATA/torch/gpu.json" >queue.json
profkit convert -q --to chrome queue.json - | grep -o '"ph":"C".*'
