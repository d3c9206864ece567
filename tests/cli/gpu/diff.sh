# Two traces beside each other: parts of a step, kernels; with steps enough, whether the difference is more than chance.
profkit gpu --diff "$TESTDATA"/torch/rank[01].json
profkit gpu -q --diff --format csv "$TESTDATA"/torch/rank0.json "$TESTDATA/xplane/gpu.xplane.pb"
make_trace() { # FILE COMPUTATION NAME: six steps of 100 us
    {
        echo '[{"ph":"M","pid":0,"tid":7,"name":"process_labels","args":{"labels":"GPU 0"}}'
        for step in 0 1 2 3 4 5; do
            echo ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":${step}00,\"dur\":100,\"name\":\"ProfilerStep#$step\"}"
            echo ",{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"pid\":1,\"tid\":1,\"ts\":${step}01,\"dur\":2,\"name\":\"cudaLaunchKernel\",\"args\":{\"correlation\":$((step + 1))}}"
            echo ",{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":${step}05,\"dur\":$(($2 + step)),\"name\":\"gemm\",\"args\":{\"stream\":7,\"device\":0,\"correlation\":$((step + 1))}}"
            echo ",{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":${step}80,\"dur\":5,\"name\":\"$3\",\"args\":{\"stream\":7,\"device\":0,\"correlation\":$((step + 1))}}"
        done
        echo ']'
    } >"$1"
}
make_trace a.json 20 relu
make_trace b.json 40 gelu
profkit gpu -q --diff a.json b.json
profkit gpu -q --diff a.json a.json --format json
for half in 0 1; do # one mean of other values: ranks differ by more than chance
    {
        echo '[{"ph":"M","pid":0,"tid":7,"name":"process_labels","args":{"labels":"GPU 0"}}'
        for step in 1 2 3 4 5 6 7 8; do
            length=$((half ? step == 8 ? 94 : 18 : 20))
            [ $half = 0 ] && [ $step = 8 ] && length=80
            echo ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":${step}00,\"dur\":100,\"name\":\"ProfilerStep#$step\"}"
            echo ",{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"pid\":1,\"tid\":1,\"ts\":${step}01,\"dur\":2,\"name\":\"cudaLaunchKernel\",\"args\":{\"correlation\":$step}}"
            echo ",{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":${step}05,\"dur\":$length,\"name\":\"gemm\",\"args\":{\"stream\":7,\"device\":0,\"correlation\":$step}}"
        done
        echo ']'
    } >"mean$half.json"
done
profkit gpu -q --diff mean0.json mean1.json
status 2 profkit gpu --diff a.json
status 2 profkit gpu --diff --view kernels a.json b.json
