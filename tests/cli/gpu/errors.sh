status 2 profkit gpu
status 2 profkit gpu -q "$TESTDATA/example/before.prof"
status 2 profkit gpu -q "$TESTDATA/torch/stacks.json"
status 2 profkit gpu -q --like hta "$TESTDATA/torch/stacks.json"
status 2 profkit gpu -q --like tracelens-ops "$TESTDATA/example/before.prof"
status 2 profkit gpu -q --step 5..7 "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --step 1 --whole "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --by kind "$TESTDATA/torch/rank0.json"
mkdir empty
status 2 profkit gpu -q empty
mkdir empty/inner
status 2 profkit gpu -q empty
mkdir mixed && cp "$TESTDATA/torch/rank0.json" "$TESTDATA/torch/stacks.json" mixed
profkit gpu --view breakdown --format csv mixed
echo == a rank twice, and ranks that are missing
sed 's/"baseTimeNanoseconds":[0-9]*/&1/' "$TESTDATA/torch/rank0.json" >later.json
profkit gpu -q --view breakdown "$TESTDATA/torch/rank0.json" later.json "$TESTDATA/torch/gpu.json" | tail -n +6
echo == traces without a rank, of which two files have the same name but for their ends
mkdir ends
sed 's/"distributedInfo"/"others"/' "$TESTDATA/torch/rank0.json" >ends/a.json
sed 's/"distributedInfo"/"others"/' "$TESTDATA/torch/rank1.json" | gzip >ends/a.json.gz
sed 's/"distributedInfo"/"others"/' "$TESTDATA/torch/gpu.json" >b.pt.trace.json
sed 's/aten/ATEN/' b.pt.trace.json >.json
profkit gpu -q --view breakdown ends b.pt.trace.json .json | grep GPU
echo == a trace twice, also under another name, counts once
cp "$TESTDATA/torch/rank0.json" copy.json
profkit gpu --view breakdown --format csv "$TESTDATA/torch/rank0.json" "$TESTDATA/torch/rank0.json" copy.json >once.csv
profkit gpu --view breakdown --format csv "$TESTDATA/torch/rank0.json" | cmp - once.csv
profkit gpu --diff --format csv copy.json copy.json | cut -d, -f 1-3 | head -2
echo == runs of a store, of which the second has no ids and needs its arrows, count once each
python3 - <<'EOF'
import json
for number in range(2):
    events = []
    for at in (100, 200, 300):
        args = {"correlation": at} if number == 0 else {}
        for kind, name, pid, ts in (("cuda_runtime", "cudaLaunchKernel", 9, at), ("kernel", "gemm", 0, at + 20 + number)):
            events.append({"ph": "X", "cat": kind, "name": name, "pid": pid, "tid": 7, "ts": ts, "dur": 10, "args": args})
        events.append({"ph": "s", "id": at, "pid": 9, "tid": 7, "ts": at, "cat": "ac2g", "name": "ac2g"})
        events.append({"ph": "f", "bp": "e", "id": at, "pid": 0, "tid": 7, "ts": at + 20 + number, "cat": "ac2g", "name": "ac2g"})
    with open(f"run{number}.json", "w") as out:
        json.dump({"schemaVersion": 1, "traceEvents": events}, out)
EOF
profkit store -q add two.db run0.json run1.json
for runs in two.db "run0.json run1.json"; do
	profkit gpu -q --view kernels --format csv $runs | cut -d, -f 1-5
	profkit gpu -q --view launches --format csv $runs | cut -d, -f 1-6
done
echo == of a folder, a trace without a GPU is left out for other tools, too
profkit gpu -q --like hta mixed
echo == annotations on the CPU need no GPU
profkit gpu -q --like hta-cpu-annotations "$TESTDATA/torch/stacks.json"
echo == other files of a folder are left out, a trace that is broken is not
echo '{"batch": 8}' >mixed/config.json
cp "$TESTDATA/hyperfine/two.json" mixed
profkit gpu --view breakdown --format csv mixed
echo '{"traceEvents": [{"ph": "X", "ts": 1, "dur": 2, "name": 7' >mixed/zz.json
status 2 profkit gpu -q --strict --view breakdown --format csv mixed
status 2 profkit gpu -q mixed/config.json
status 2 profkit gpu -q --min-share 1 "$TESTDATA/torch/rank0.json"
