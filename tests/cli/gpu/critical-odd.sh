# What cannot be is counted and said, and no moment counts twice: testdata/torch/make.py's critical_odd().
profkit gpu -q --critical-path --format csv "$TESTDATA/torch/critical-odd.json"
profkit gpu -q --critical-path "$TESTDATA/torch/critical-odd.json" | sed '1,/^$/d'
profkit gpu -q --critical-path --whole --format json "$TESTDATA/torch/critical-odd.json" | sed -n '/"range"/p; /"odd"/,/"rows"/p'
profkit gpu -q --what-if auto "$TESTDATA/torch/critical-odd.json"
echo == a launch waits while another thread allocates: 20 us of it until the lock is free, 2 us then
cat > lock.json <<'EOF'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaMalloc","pid":5,"tid":6,"ts":100,"dur":40,"args":{"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":5,"ts":110,"dur":40,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":120,"dur":22,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":141,"dur":3,"args":{"correlation":2,"stream":7}}
]}
EOF
profkit gpu -q --critical-path lock.json | sed '1,/^$/d'
profkit gpu -q --what-if cudaMalloc=0 --format csv lock.json
echo == a stream waits for an event that the trace does not tell: for the work of another stream that ended 5 us before
cat > guess.json <<'EOF'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":100,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":110,"dur":200,"args":{"correlation":1,"stream":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamWaitEvent","pid":5,"tid":5,"ts":112,"dur":1,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":120,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":20,"ts":315,"dur":50,"args":{"correlation":3,"stream":20}}
]}
EOF
profkit gpu -q --critical-path guess.json | sed '1,/^$/d'
echo == the host waits for its thread of autograd, a third thread does not, nor a fourth, which only has an annotation of that name
cat >engine.json <<'EOF'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":5,"tid":4,"ts":150,"dur":2},
{"ph":"X","cat":"user_annotation","name":"Backward","pid":5,"tid":3,"ts":111,"dur":84},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":5,"ts":100,"dur":10},
{"ph":"X","cat":"cpu_op","name":"autograd::engine::evaluate_function: MmBackward0","pid":5,"tid":6,"ts":112,"dur":80},
{"ph":"X","cat":"cpu_op","name":"aten::sum","pid":5,"tid":5,"ts":200,"dur":10},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":202,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":210,"dur":20,"args":{"correlation":1,"stream":7}}
]}
EOF
profkit gpu -q --critical-path --whole --by name --format csv engine.json
echo == the same as torch until 1.9 has it, and within a step, which it calls an operator
sed 's/autograd::engine::evaluate_function: //; s/cpu_op/Operator/; s/cuda_runtime/Runtime/; s/"kernel"/"Kernel"/
    /aten::mm/i {"ph":"X","cat":"Operator","name":"ProfilerStep#1","pid":5,"tid":5,"ts":95,"dur":120},' engine.json >old.json
profkit gpu -q --critical-path --format csv old.json
echo == a second step uses all ids again: the path of the first is as it was
python3 - "$TESTDATA/torch/critical.json" >again.json <<'EOF'
import json, sys
trace = json.load(open(sys.argv[1]))
step = [e for e in trace["traceEvents"] if e["ph"] == "X"]
trace["traceEvents"] += [{**e, "ts": e["ts"] + 1000, "name": e["name"].replace("Step#1", "Step#2")} for e in step]
json.dump(trace, sys.stdout)
EOF
for trace in "$TESTDATA/torch/critical.json" again.json; do
    profkit gpu -q --critical-path --step 1 --by operator --format csv "$trace" >"$(basename "$trace").csv"
done
cmp critical.json.csv again.json.csv
