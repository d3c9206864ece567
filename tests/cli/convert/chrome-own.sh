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
{"ph":"X","name":"aten::mm","cat":"cpu_op","pid":4,"tid":4,"ts":40,"dur":5}
]}
END
same <<'END'
{"viztracer_metadata":{"version":"1.0"},
"traceEvents":[
{"ph":"X","name":"main (/a.py:3)","cat":"FEE","pid":4,"tid":4,"ts":0,"dur":100},
{"ph":"X","name":"len","cat":"FEE","pid":4,"tid":4,"ts":10,"dur":10}
],
"file_info":{"files":{"/a.py":["x\ny\n",2]},"functions":{"main (/a.py:3)":["/a.py",3]}}}
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
