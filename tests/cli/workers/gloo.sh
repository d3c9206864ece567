# Collectives of ranks without a GPU: waiting for the slowest rank, then transfer. The third of rank 0 is on no other rank.
rank() { # NUMBER, END OF COMPUTATION IN 1st AND 2nd STEP, MORE
    echo "{\"schemaVersion\": 1, \"baseTimeNanoseconds\": 1000000000000000000, \"distributedInfo\": {\"rank\": $1}, \"traceEvents\": ["
    for step in "0 $2 400" "400 $3 800"; do
        read -r from to end <<<"$step"
        echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 9, \"tid\": 1, \"ts\": $from, \"dur\": $((to - from))},"
        echo "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"gloo:all_reduce\", \"pid\": 9, \"tid\": 1, \"ts\": $to, \"dur\": $((end - to))},"
    done
    echo "$4{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 9, \"args\": {\"name\": \"python\"}}]}"
}
rank 0 100 750 '{"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 9, "tid": 1, "ts": 830, "dur": 50},' >0.json
rank 1 300 500 >1.json
profkit workers -q --by rank --format csv 0.json 1.json | cut -d, -f3,5-11
profkit workers -q --by rank 0.json 1.json | grep -A 3 'one rank only'
