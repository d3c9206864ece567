# GPUs of a part: 40 ranks of 3 steps, of which rank 17 computes longer; their clocks differ by 10 s each. The numbers are
# those of the traces.
python3 - <<'EOF'
import json, os
RANKS, STEPS = 40, 3
os.mkdir("ranks")
def compute(rank, step):
    return 9000 + (rank * 7 + step * 13) % 10 * 50 + (3000 if rank == 17 else 0)
for rank in range(RANKS):
    events, at = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "GPU 0"}}], 1000 + rank * 10**7
    for step in range(STEPS):
        last = max(compute(r, step) for r in range(RANKS))
        mine, end = compute(rank, step), at + last + 1000
        mark = "user_annotation"
        events.append({"ph": "X", "cat": mark, "name": f"ProfilerStep#{step + 5}", "pid": 9, "tid": 1, "ts": at, "dur": end - at})
        group = {"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": RANKS,
                 "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2]"}
        for name, begin, to, args in (("gemm", at + 100, at + mine, {}), ("nccl", at + mine, end - 100, group)):
            args = {"device": 0, "stream": 7, "correlation": len(events), **args}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 1, "ts": begin - 20,
                           "dur": 8, "args": {"correlation": args["correlation"]}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": begin, "dur": to - begin, "args": args})
        at = end
    trace = {"schemaVersion": 1, "distributedInfo": {"rank": rank}, "deviceProperties": [{"id": 0, "name": "A"}], "traceEvents": events}
    with open(f"ranks/rank{rank}.json", "w") as out:
        out.write(json.dumps(trace))
EOF
profkit reduce -q -o part.db ranks
for view in breakdown steps overlap ranks; do
	profkit gpu -q --view $view --format csv ranks >traces.csv
	profkit gpu -q --view $view --format csv part.db | cmp - traces.csv
done
profkit gpu -q --view steps --format csv ranks/rank5.json | tail -n 3 >one.csv
profkit gpu -q --view steps --format csv part.db | grep '^5,' | cmp - one.csv
profkit gpu part.db
profkit gpu -q --view communication --format csv ranks >traces
profkit gpu -q --view communication --format csv part.db | cmp - traces
# any order and grouping
profkit reduce -q -o low.db ranks/rank?.json
profkit reduce -q -o rest.db ranks/rank3?.json ranks/rank[12]?.json
profkit merge -q -o sum.db rest.db low.db
cmp part.db sum.db
# a heat map: a cell for each of 40 ranks with 3 steps and 8 parts, and a legend
profkit gpu part.db -o heat.svg
grep -c '<g><title>' heat.svg
grep -o '<title>rank 17, GPU 0, step 6[^<]*' heat.svg
grep -o 'text-anchor="end">[^<]*' heat.svg | sed -n 1,2p
profkit gpu ranks -o traces.svg
cmp heat.svg traces.svg
# rules of check on steps, of two parts and of the same traces
profkit reduce -q -o high.db ranks/rank1?.json
for rule in 'computation>2%' 'launches(step)>0'; do
	profkit check -q --fail "$rule" --baseline low.db high.db | sed 1,3d >parts || echo "status $?"
	profkit check -q --fail "$rule" $(printf ' --baseline %s' ranks/rank?.json) ranks/rank1?.json | sed 1,3d >traces || echo "status $?"
	cmp parts traces
	cat parts
done
# what is not in a part
status 2 profkit gpu --view kernels part.db
status 2 profkit gpu --step 5 part.db
status 2 profkit gpu part.db low.db
status 2 profkit gpu part.db ranks/rank0.json
status 2 profkit gpu ranks/rank0.json part.db
echo "main;f 5" >x.folded
profkit reduce -q -o none.db x.folded
status 2 profkit gpu none.db
sql low.db "update gpu_step set host_wait = -5 where gpu = 0"
status 2 profkit gpu low.db
# The words do not lead to what a part does not have, and do not say why work waited that a part does not know.
profkit reduce -q -o two.db "$TESTDATA"/torch/rank[01].json
profkit gpu two.db | grep -v '^rank\|^GPU '
for trace in gpu critical; do
	profkit reduce -q -o one.db "$TESTDATA/torch/$trace.json" 2>/dev/null
	profkit gpu -q one.db | grep 'profkit gpu' || true
done
# GPUs with steps are not compared with one that has none.
sed 's/"ProfilerStep#[0-9]*"/"mark"/g' ranks/rank2.json >whole.json
profkit gpu -q ranks/rank[01].json whole.json | grep -e median -e computes -e 'begins last' || true
profkit gpu -q --view ranks --format csv ranks/rank[01].json whole.json | cut -d, -f 1-5
# Two GPUs in a trace: the second one begins last.
python3 - <<'EOF'
import json
for rank in range(3):
    events = []
    for step in range(2):
        at = 1000 + step * 1000
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 9, "tid": 1, "ts": at, "dur": 1000})
        for gpu in (0, 1):
            begin = at + 500 + rank * 20 + gpu * 50
            for name, ts, to in (("gemm", at + 100, begin), ("ncclDevKernel_AllReduce", begin, at + 900)):
                args = {"device": gpu, "stream": 7, "correlation": len(events)}
                events.append({"ph": "X", "cat": "kernel", "name": name, "pid": gpu, "tid": 7, "ts": ts, "dur": to - ts, "args": args})
    trace = {"schemaVersion": 1, "distributedInfo": {"rank": rank}, "traceEvents": events,
             "deviceProperties": [{"id": 0, "name": "A"}, {"id": 1, "name": "A"}]}
    with open(f"pair{rank}.json", "w") as out:
        out.write(json.dumps(trace))
EOF
profkit reduce -q -o pairs.db pair?.json
profkit merge -q -o pairs.db --force pairs.db
for view in steps communication ranks; do
	profkit gpu -q --view $view --format csv pair?.json >traces.csv
	profkit gpu -q --view $view --format csv pairs.db | cmp - traces.csv
done
profkit gpu pairs.db | grep -e 'begins last' -e 'process group'
