# Rules about the steps of GPU traces: values of many steps, exact counts, steps of ranks, what has none.
trace() { # STEPS COMMUNICATION LAUNCHES: each step of 1 ms; communication of about so many us that nothing hides
    awk -v steps="$1" -v comm="$2" -v launches="$3" 'BEGIN {
        print "{\"deviceProperties\": [{\"id\": 0}], \"traceEvents\": ["
        for (s = 0; s < steps; s++) {
            t = s * 1000
            printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1000},\n", s + 1, t
            for (k = 0; k < launches; k++) {
                id = s * 100 + k + 1
                name = k ? "gemm" : "ncclDevKernel_AllReduce"
                dur = k ? 100 : comm + s % 3
                printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},\n", t + 10 * k, id
                printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d,\"stream\":7}},\n", name, t + 100 + k * 300, dur, id
            }
        }
        print "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"python\"}}]}"
    }'
}
trace 8 100 2 >before.json
trace 8 200 3 >after.json
trace 8 100 2 >same.json
for format in text csv; do
    status 1 profkit check -b before.json after.json --fail 'exposed_comm>2%' --fail 'idle>5%' --fail 'launches(step)>0' \
        --fail 'step_time>1%' --fail 'computation>5%,1ms' --format $format
done
profkit check -b before.json same.json --fail 'exposed_comm>2%' --fail 'launches>0' --report junit
profkit check -b "$TESTDATA"/torch/rank0.json -b "$TESTDATA"/torch/rank1.json "$TESTDATA"/torch/rank0.json \
    "$TESTDATA"/torch/rank1.json --fail 'launches>0' --fail 'data_loading>1%' --format csv
# two traces without ranks are not of one job: their steps count apart
profkit check -b before.json -b after.json before.json after.json --fail 'exposed_comm>2%' --format csv
grep -v ProfilerStep before.json >no-steps.json
status 2 profkit check -b before.json same.json --fail 'launches(other)>0'
status 2 profkit check -b before.json no-steps.json --fail 'idle>5%'
profkit check -q -b no-steps.json no-steps.json --fail "idle>5%" --fail "launches>0" --format csv
status 2 profkit check -b "$TESTDATA"/chrome/flows.json "$TESTDATA"/chrome/flows.json --fail 'idle>5%'
echo 'idle>5%' >rules
profkit check -b "$TESTDATA"/chrome/flows.json "$TESTDATA"/chrome/flows.json --rules rules
