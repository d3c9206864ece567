# profkit-scale(7) shows what the program prints on a terminal of 120 columns, and its commands work: with 24 runs of two days,
# and 1,000 ranks.
[ -z "${SANITIZE-}" ] || { echo "takes long with sanitizers"; exit 77; }
python3 - <<'END'
import json, marshal, os, random

def profile(path, seed, slow, all_reduce):
    """A file as cProfile writes it."""
    noise = random.Random(seed)
    main = ("train.py", 10, "main")
    functions = {("train.py", 20, "forward"): 0.32, ("train.py", 30, "backward"): 1.2,
                 ("data.py", 40, "decode"): 2.5 if slow else 0.5, ("net.py", 12, "all_reduce"): all_reduce}
    times = {function: time * (0.97 + 0.06 * noise.random()) for function, time in functions.items()}
    stats = {main: (1, 1, 0.001, 0.001 + sum(times.values()), {})}
    for function, time in times.items():
        stats[function] = (100, 100, time, time, {main: (100, 100, time, time)})
    with open(path, "wb") as file:
        marshal.dump(stats, file)

for day in ("runs", "monday", "tuesday"):
    os.mkdir(day)
    for rank in range(24):
        later = day == "tuesday"
        profile(f"{day}/rank{rank:02}.prof", rank + 100 * later, rank == (5 if later else 17), 0.447 if later else 0.4)

RANKS, STEPS = 1000, 10
noise = random.Random(1)
work = [[int((9100 + 500 * noise.random()) * (1.3 if rank == 333 else 1)) for rank in range(RANKS)] for step in range(STEPS)]
group = {"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": RANKS,
         "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2]"}
os.mkdir("ranks")
for rank in range(RANKS):
    events, at = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "GPU 0"}}], 1000 + rank * 10**7
    for step in range(STEPS):
        mine, end = at + work[step][rank], at + max(work[step]) + 1000
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 9, "tid": 1, "ts": at, "dur": end - at})
        for name, begin, to, args in (("gemm", at + 100, mine, {}), ("nccl", mine, end - 100, group)):
            args = {"device": 0, "stream": 7, "correlation": len(events), **args}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 1, "ts": begin - 20,
                           "dur": 8, "args": {"correlation": args["correlation"]}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": begin, "dur": to - begin, "args": args})
        at = end
    with open(f"ranks/rank{rank}.json", "w") as file:
        file.write(json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank}, "deviceProperties": [{"id": 0, "name": "A"}],
                               "traceEvents": events}))
END
profkit help scale | sed 's/^        //' >page
# in_page [HEAD] COMMAND...: the page has the command and what it prints, or the first HEAD lines of that.
in_page() {
	local printed lines='$'
	case $1 in [1-9]*) lines=$1 && shift ;; esac
	tr -s ' \n' ' ' <page | grep -qF "profkit $*" || echo "not in the page: profkit $*"
	printed=$(in_terminal 120 "$@" | tr -d '\r' | sed "${lines}q") || true
	[[ $(<page) == *"$printed"* ]] || printf 'the page has other output of: profkit %s\n%s\n' "$*" "$printed"
}
profkit reduce -q -o fleet.db runs
in_page hotspots fleet.db
profkit reduce -q -o monday.db monday
profkit reduce -q -o tuesday.db tuesday
in_page diff monday.db tuesday.db
in_page check --baseline monday.db tuesday.db
profkit reduce -q -o job.db ranks
in_page gpu job.db
in_page 8 workers -n 3 job.db
# the totals of the runs
eval "$(grep '^profkit query' page)" | sed -n 1,3p
# several processes
export -f profkit
eval "$(grep '^find runs' page | sed 's/sh -c/bash -c/; s/profkit reduce/& -q/')"
eval "$(grep '^profkit merge .*part-' page | sed 's/merge/& -q/')"
cmp fleet.db sum.db
# the array of Slurm, and the job that adds its parts
mkdir slurm
gzip -r monday
cp -r monday slurm/run7
sed -n '/^#!\/bin\/sh$/,/@list/p' page | sed "s,/data/run7/\*.json.gz,run7/*.prof.gz,; s/64/5/" >slurm/array.sh
cd slurm
for task in 0 1 2 3 4; do
	SLURM_ARRAY_TASK_ID=$task PATH=$(dirname "$PROFKIT"):$PATH sh array.sh
done
eval "$(sed -n "s/^sbatch .*--wrap '\(.*\)'/\1/p" ../page | sed 's/merge/& -q/')"
profkit hotspots run7.db | sed -n '2s/;.*//p'
