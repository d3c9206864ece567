# Changes of testdata/torch/make.py's critical(), whose times can be followed by hand:
# without communication the host comes last, at 1360 us in cudaDeviceSynchronize, 50 us before its end;
# with gemm in half its time the copy begins 15 us after its launch, and all behind it 5 us earlier.
profkit gpu -q --what-if all-reduce=0 --what-if gemm/2 "$TESTDATA/torch/critical.json"
profkit gpu -q --what-if auto "$TESTDATA/torch/critical.json"
profkit gpu -q --what-if auto --format csv "$TESTDATA/torch/critical.json"
profkit gpu -q --what-if launch=0 --whole --format json "$TESTDATA/torch/critical.json" | sed '/"path"/,/\]/d'
echo == a wait without a known reason is not played again
sed 's/"ts":1240.0,"dur":200.0/"ts":1340.0,"dur":100.0/' "$TESTDATA/torch/critical.json" > wait.json
profkit gpu -q --what-if communication=0 wait.json
profkit gpu -q --what-if "launch*1e300" --what-if "host*1e300" --whole --format csv "$TESTDATA/torch/critical-odd.json"
echo == auto: names of operators are no rules: the path is 10 us of the step, 70 of the operator, 20 of the step
for name in rank:0 communication; do
    cat > "$name.json" <<EOF
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":5,"tid":5,"ts":100,"dur":100,"args":{}},
{"ph":"X","cat":"cpu_op","name":"$name","pid":5,"tid":5,"ts":110,"dur":70,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":120,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":130,"dur":20,"args":{"correlation":1,"stream":7}}
]}
EOF
    profkit gpu -q --what-if auto --format csv "$name.json"
done
for rule in '' = launch launch=1 launch/0 launch=-1 'launch*' 'launch=nan' '=0' nothing=0 rank:1=0 rank:1=median; do
    status 2 profkit gpu -q --what-if "$rule" "$TESTDATA/torch/critical.json"
done
status 2 profkit gpu -q --what-if auto --by name "$TESTDATA/torch/critical.json"
# A name that is not whole says what it stands for, a wrong one what is near it.
profkit gpu -q --what-if Gem/2 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --what-if gemn=0 "$TESTDATA/torch/critical.json"
status 2 profkit gpu -q --what-if comunication=0 "$TESTDATA/torch/critical.json"
