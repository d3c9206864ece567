# Five GPUs with works of 2^61 ns, about 73 years: sums stop at what fits.
work() {
    printf '{"ph":"X","cat":"kernel","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{"dtype":"Float","Collective name":"%s"}}' "$@"
}
{
    echo '{"schemaVersion":1,"deviceProperties":[],"traceEvents":['
    for gpu in 0 1 2 3 4; do
        work gemm $gpu 7 0 1 ""; echo ,
        work ncclDevKernel_AllReduce $gpu 8 3 2305843009213000 allreduce; echo ,
        work ncclDevKernel_AllReduce $gpu 9 3 2305843009213000 allreduce; echo ,
    done
    echo '{"ph":"M","name":"process_name","pid":0,"args":{"name":"GPU"}}]}'
} > large.json
profkit gpu -q large.json
for view in breakdown overlap communication; do
    profkit gpu -q --view $view --format csv large.json
done
