# A merged run lasts from the begin of the first to the end of the last: one of 15 us from 1 s, one of 9 us that begins
# 4 us later, and one that ends before both.
run() { # NAME BASE DURATION
    echo "{\"baseTimeNanoseconds\":$2,\"traceEvents\":[{\"ph\":\"X\",\"name\":\"f\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":$3}]}" >"$1.json"
}
run a 1000000000 15
run b 1000004000 9
run c 1000004000 12
run d 1000001000 2
for other in b c d; do
    profkit merge -q a.json $other.json -o $other.db
    profkit query -q --format csv $other.db 'select start, duration from run' | tail -n 1
done
