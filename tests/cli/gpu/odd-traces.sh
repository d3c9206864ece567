# What is odd in traces is counted and said, each once; parts still add up to the step.
event() { # CAT NAME PID TID TS DUR ID
    echo "{\"ph\": \"X\", \"cat\": \"$1\", \"name\": \"$2\", \"pid\": $3, \"tid\": $4, \"ts\": $5, \"dur\": $6, \"args\": {\"correlation\": $7}},"
}
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event user_annotation ProfilerStep#1 9 9 0 60 0
    event user_annotation ProfilerStep#2 9 9 50 50 0
    event cuda_runtime cudaLaunchKernel 9 9 1 1 1
    event cuda_runtime cudaLaunchKernel 9 9 3 1 1
    event kernel twice 0 7 5 2 1
    event cuda_runtime cudaLaunchKernel 9 9 20 1 2
    event kernel early 0 7 18 1 2
    event cuda_runtime cudaLaunchKernel 9 9 30 1 3
    event kernel unlaunched 0 7 35 1 99
    event cuda_runtime cudaGraphLaunch 9 9 52 1 4
    event kernel one 0 7 60 5 4
    event kernel two 0 7 62 5 4
    event kernel three 0 7 70 5 4
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >odd.json
profkit gpu -q odd.json | tail -n +2
profkit gpu -q --view breakdown --format csv odd.json | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    parts = "computation exposed_communication exposed_copies launch data_loading host_wait kernel_wait other_idle".split()
    print(sum(int(row[p]) for p in parts) - int(row["time"]), "ns are missing")'
profkit gpu -q --format json odd.json | grep count
echo == two launches have one id: each kernel counts as launched by the last one before it, and no clock is wrong
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event cpu_op aten::mm 9 9 0 10 0
    event cuda_runtime cudaLaunchKernel 9 9 1 2 7
    event kernel gemm 0 7 12 5 7
    event cpu_op aten::add 9 9 40 10 0
    event cuda_runtime cudaLaunchKernel 9 9 41 2 7
    event kernel add 0 7 50 5 7
    event cuda_runtime cudaLaunchKernel 9 9 70 2 8
    event kernel relu 0 7 75 5 8
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >again.json
profkit gpu -q --view launches again.json
profkit ops -q --format csv again.json | cut -d, -f1,3-7
echo == a kernel before both of them counts as launched by the first
sed 's/"ts": 12/"ts": 0/' again.json >before.json
profkit gpu -q --view breakdown before.json | tail -n 2
profkit ops -q --format csv before.json | cut -d, -f1,3-7 | grep aten
echo '== a thread marks two steps with one number; another thread may mark a step too'
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event user_annotation ProfilerStep#1 9 9 0 60 0
    event user_annotation ProfilerStep#1 9 10 0 60 0
    event user_annotation ProfilerStep#1 9 9 50 50 0
    event user_annotation ProfilerStep#2 9 9 100 50 0
    event user_annotation ProfilerStep#2 9 9 200 50 0
    event cuda_runtime cudaLaunchKernel 9 9 1 1 1
    event kernel gemm 0 7 5 2 1
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >steps.json
profkit gpu -q --view steps steps.json
profkit gpu -q --format json steps.json | grep count
echo == ranks of different lengths, a rank twice, one that is missing
mkdir ranks
cp "$TESTDATA/torch/rank0.json" ranks/0.json
sed '/ProfilerStep#2/d; s/"rank": *1/"rank": 3/' "$TESTDATA/torch/rank1.json" >ranks/3.json
profkit gpu -q --view ranks ranks
sed 's/"baseTimeNanoseconds":[0-9]*/&1/' ranks/3.json >ranks/twice.json
profkit gpu -q --view steps ranks
echo == the first rank is missing, too, and one is below 0
sed 's/"rank": *0/"rank":1/' ranks/0.json >1.json
profkit gpu -q 1.json ranks/3.json | grep missing
sed 's/"rank": *0/"rank":-1/' ranks/0.json >below.json
profkit gpu -q below.json ranks/3.json | grep missing
echo == the traces say how many ranks there are
for size in 1 4 5 8; do
    sed "s/\"rank\": *[0-9]*/&, \"world_size\": $size/" ranks/0.json >first.json
    profkit gpu -q first.json ranks/3.json | grep missing
done
echo == older traces do not name process groups: two collectives of other times, and one
for rank in 0 1; do sed 's/"Process Group Name":"0",//' "$TESTDATA/torch/rank$rank.json" >old$rank.json; done
sed -i '10s/"ts":1400.0,"dur":300.0/"ts":1050.0,"dur":100.0/; 24s/"ts":2400.0,"dur":300.0/"ts":2900.0,"dur":90.0/' old1.json
profkit gpu -q --view communication old0.json old1.json | tail -n +3
sed -i 24d old0.json
sed -i 24d old1.json
profkit gpu -q --view communication old0.json old1.json | tail -n +3
echo == without steps the begins of two ranks say nothing about their clocks
for rank in 0 1; do sed '/ProfilerStep/d; s/"Process Group Name":"0",//' "$TESTDATA/torch/rank$rank.json" >old$rank.json; done
sed -i '1s/17000/17001/; 22d' old1.json
profkit gpu -q --view communication old0.json old1.json | tail -n +3
echo == ranks of two programs have no process group in common
sed 's/"Process Group Name":"0"/"Process Group Name":"7"/' "$TESTDATA/torch/rank1.json" >other.json
profkit gpu -q "$TESTDATA/torch/rank0.json" other.json | grep 'the clocks'
echo == functions of a thread without a number are in the process of the GPU, which keeps its name
cat >ended.json <<'END'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python3"}},
{"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}},
{"ph": "X", "cat": "python_function", "name": "a.py(1): f", "pid": 0, "tid": 0, "ts": 0, "dur": 9, "args": {"Python id": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]}
END
profkit gpu -q --view breakdown --format csv ended.json | cut -d, -f2
echo == an MTIA: its DMA is a copy
cat >mtia.json <<'END'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "mtia_runtime", "name": "runFunction", "pid": 8, "tid": 8, "ts": 0, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "mtia_ccp_events", "name": "fc", "pid": 0, "tid": 1, "ts": 10, "dur": 2, "args": {"stream": 1, "correlation": 1}},
{"ph": "X", "cat": "mtia_ccp_events", "name": "dma_request", "pid": 0, "tid": 801, "ts": 12, "dur": 6, "args": {"stream": 1}}]}
END
profkit gpu -q --view breakdown --format csv mtia.json | cut -d, -f5,6,8
echo == work that overlaps counts for its stream
cat >overlap.json <<END
{"traceEvents": [
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":30,"name":"a","args":{"stream":7,"device":0}},
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":10,"dur":30,"name":"b","args":{"stream":7,"device":0}},
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":20,"dur":30,"name":"c","args":{"stream":7,"device":0}},
{"ph":"X","cat":"kernel","pid":0,"tid":8,"ts":60,"dur":30,"name":"a","args":{"stream":8,"device":0}},
{"ph":"X","cat":"kernel","pid":0,"tid":8,"ts":70,"dur":30,"name":"b","args":{"stream":8,"device":0}}]}
END
profkit gpu -q --view queue --format csv overlap.json
echo == all work takes no time
cat >none.json <<END
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":10,"dur":0,"name":"a","args":{"stream":7,"device":0}}]}
END
profkit gpu -q none.json
echo == one launch, one step
cat >single.json <<END
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph":"X","cat":"user_annotation","pid":1,"tid":1,"ts":0,"dur":20,"name":"ProfilerStep#1"},
{"ph":"X","cat":"cuda_runtime","pid":1,"tid":1,"ts":1,"dur":6,"name":"cudaLaunchKernel","args":{"correlation":1}},
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":10,"dur":5,"name":"a","args":{"stream":7,"device":0,"correlation":1}}]}
END
profkit gpu -q single.json | grep '1 step of\|1 launch'
echo == the time after the last work of the last step is that of the host, unless the trace tells no launches
sed 's/"cat":"cuda_runtime"/"cat":"cpu_op"/' single.json >nolaunch.json
for f in single nolaunch; do
    profkit gpu -q --view breakdown --format csv $f.json | cut -d, -f 5-13
done
profkit gpu -q nolaunch.json | sed '1d; /^$/,$d'
echo == a trace that is read twice, the second time for its arrows, is said to be odd once
cat >arrows.json <<'EOF'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 1, "dur": 2},
{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 1},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 5, "dur": 5},
{"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 0, "tid": 7, "ts": 4},
{"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 5},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 8, "dur": 5}]}
EOF
profkit gpu --view launches arrows.json 2>&1
echo == what the host did is that of the thread that launched next, and where it did nothing, of the thread that marks steps
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    event user_annotation ProfilerStep#1 9 9 0 100 0
    event cpu_op aten::loss 9 9 30 40 0
    event cuda_runtime cudaLaunchKernel 9 10 1 1 1
    event kernel k 0 7 5 5 1
    event cuda_runtime cudaLaunchKernel 9 9 65 1 2
    event kernel k 0 7 70 5 2
    event cuda_runtime cudaLaunchKernel 9 10 76 1 3
    event kernel k 0 7 80 5 3
    event cpu_op MulBackward0 9 10 86 5 0
    event cuda_runtime cudaLaunchKernel 9 10 90 1 4
    event kernel k 0 7 92 3 4
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >threads.json
profkit gpu -q threads.json | grep -A 1 'launched nothing'
echo == what the host was in is of the process that launches, although another one marks the step too
cat >processes.json <<'EOF'
{"schemaVersion": 1, "deviceProperties": [{"id": 0}, {"id": 1}], "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 8, "tid": 8, "ts": 0, "dur": 100},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 9, "tid": 9, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "of another process", "pid": 9, "tid": 9, "ts": 40, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 8, "tid": 7, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"stream": 7, "device": 0, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 10, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 1, "tid": 7, "ts": 20, "dur": 60, "args": {"stream": 7, "device": 1, "correlation": 2}}]}
EOF
profkit gpu -q processes.json | grep 'it was in'
