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
echo == steps that begin in the function that marks them, and streams that are not told
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
echo == a step that launches nothing, such as one that the end of the recording cuts off, is not chosen, unless all are so
sed 's/^{}]/{"ph":"X","cat":"user_annotation","name":"ProfilerStep#9","pid":5,"tid":5,"ts":5000,"dur":7},&/' steps.json >cut.json
sed 's/{"ph":"X","cat":"\(cuda_runtime\|kernel\)".*/{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":9000,"dur":20},/' steps.json >none.json
for trace in cut none; do
    profkit gpu -q --critical-path $trace.json | head -1
    profkit gpu -q --critical-path --format json $trace.json | grep choices
done
profkit gpu -q --critical-path --step 9 cut.json | head -1
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
echo '== the step and the DataLoader begin in the function that marks them, and go on after it; 3 of 20 spans overlap more than 16'
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    span() { echo "{\"ph\": \"X\", \"cat\": \"$1\", \"name\": \"$2\", \"pid\": $3, \"tid\": $4, \"ts\": $5, \"dur\": $6, \"args\": {\"correlation\": $7}},"; }
    span python_function '<built-in method _record_function_enter_new>' 5 5 100 8 0
    span user_annotation ProfilerStep#1 5 5 105 295 0
    span python_function '<built-in method _record_function_enter_new>' 5 5 110 8 0
    span user_annotation 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__' 5 5 115 100 0
    span python_function normalize 5 5 130 70 0
    span cuda_runtime cudaLaunchKernel 5 5 220 5 1
    span kernel gemm 0 7 230 100 1
    span cuda_runtime cudaDeviceSynchronize 5 5 230 105 2
    for i in {10..29}; do span cpu_op aten::add 5 9 10$i 100 0; done
    echo '{"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "python"}}]}'
} >marks.json
profkit gpu -q --critical-path marks.json | sed '1,/^$/d'
profkit gpu -q --view breakdown --format csv marks.json | cut -d, -f 5-
