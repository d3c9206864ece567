# The path of testdata/torch/make.py's critical(), which adds up to the 500 us of the step.
profkit gpu --critical-path "$TESTDATA/torch/critical.json"
profkit gpu --critical-path --format json "$TESTDATA/torch/critical.json"
for by in kind operator name; do
    profkit gpu --critical-path --by $by --format csv "$TESTDATA/torch/critical.json"
done
echo == an annotation: autograd runs on another thread meanwhile
profkit gpu --critical-path --annotation backward --format csv "$TESTDATA/torch/critical.json"
echo == the whole trace
profkit gpu -q --critical-path --whole --format csv "$TESTDATA/torch/critical.json"
echo == two steps
profkit gpu -q --critical-path --step 1..2 --format csv "$TESTDATA/torch/rank0.json"
echo == no steps, and streams that are not told
profkit gpu -q --critical-path "$TESTDATA/torch/gpu.json"
echo == the step: of three the middle one, as the first and the last do not count, of two the shorter one
for lengths in "100 300 200" "300 200"; do
    number=0
    {
        echo '{"schemaVersion":1,"deviceProperties":[],"traceEvents":['
        for length in $lengths; do
            begin=$((number++ * 1000))
            echo '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#'$number'","pid":5,"tid":5,"ts":'$begin',"dur":'$length'},'
            echo '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":'$((begin + 20))',"dur":5,"args":{"correlation":'$number'}},'
            echo '{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":'$((begin + 30))',"dur":20,"args":{"correlation":'$number',"stream":7}},'
        done
        echo '{}]}'
    } > steps.json
    profkit gpu -q --critical-path steps.json | head -2
    profkit gpu -q --critical-path --format json steps.json | grep choices
done
echo == the host is done 30 us before the GPU
sed 's/"ts":1030,"dur":20/"ts":1030,"dur":200/' steps.json > late.json
profkit gpu -q --critical-path --annotation ProfilerStep@1 late.json | head -2
status 2 profkit gpu -q --critical-path "$TESTDATA/torch/stacks.json"
status 2 profkit gpu -q --critical-path --step 9 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation nowhere "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation Step@1 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --annotation Step --whole "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --by shape "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --critical-path --view idle "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --annotation backward "$TESTDATA/torch/critical.json"
