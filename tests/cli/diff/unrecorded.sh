# Functions that only one of two recorders can record are neither new nor gone; with the same recorder they are.
cat >spy.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"py-spy@0.4.0",
 "shared":{"frames":[{"name":"main","file":"shop.py","line":3},{"name":"total","file":"shop.py","line":9}]},
 "profiles":[{"type":"sampled","name":"Thread 1 \"MainThread\"","unit":"seconds","startValue":0,"endValue":30,
  "samples":[[0],[0,1]],"weights":[10,20]}]}
END
trace() { # VERSION NAME of the function written in C
    echo "{\"traceEvents\":[
{\"name\":\"main (shop.py:1)\",\"cat\":\"fee\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":30000000},
{\"name\":\"total (shop.py:8)\",\"cat\":\"fee\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":20000000},
{\"name\":\"$1\",\"cat\":\"fee\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":2000000}],
\"viztracer_metadata\":{\"version\":\"1.1.1\"}}"
}
trace builtins.sum >sum.json
trace 'loop (shop.py:20)' >loop.json
profkit diff sum.json -- spy.json
profkit diff --format csv spy.json -- sum.json | cut -d, -f1,14
profkit diff --view tree sum.json -- spy.json | grep sum
profkit diff --format csv sum.json -- loop.json | cut -d, -f1,14
sed 's/builtins.sum/total (shop.py:8)/' sum.json >none.json
profkit diff --format csv sum.json -- none.json | cut -d, -f1,14
echo == also if its time is found elsewhere
trace builtins.sum | sed 's/"dur":2000000}/"dur":18000000}/' >most.json
python3 - <<'END'
import json
profile = json.load(open("spy.json"))
profile["profiles"][0].update(samples=[[0]] * 100 + [[0, 1]] * 200, weights=[0.1] * 300)
json.dump(profile, open("often.json", "w"))
END
profkit diff -q most.json -- often.json | tail -n 3
