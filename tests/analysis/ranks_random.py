#!/usr/bin/env python3
"""profkit gpu --critical-path and --what-if of several ranks, beside a simulation that made the traces: random ranks compute, some
of it beside a collective, and wait for each other. The replay without a change is the time of the traces; with a change of one rank
or of the transfer it is what the simulation gives with that change. Clocks of ranks are apart by different amounts.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

PROFKIT = os.environ.get("PROFKIT", "build/profkit")
CASES = 20


def simulate(late, hidden, then, transfer, tails):
    """Begins of each collective on each rank, their ends, and the end of all; rank r begins at late[r], hidden[k][r] runs beside
    collective k."""
    ranks = len(tails)
    begins, ends = [], []
    for k, data in enumerate(transfer):
        at = [(max(begins[-1][r] + hidden[k - 1][r], ends[-1]) if k else late[r]) + then[k][r] for r in range(ranks)]
        begins.append(at)
        ends.append(max(at) + data)
    return begins, ends, ends[-1] + max(tails)


def events(rank, base, late, hidden, then, begins, ends, tails, total):
    def kernel(name, at, duration, stream, more):
        return {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": base + at, "dur": duration,
                "args": {"stream": stream, **more}}

    found = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": base + late,
              "dur": total - late}]
    for k, end in enumerate(ends):
        begin = begins[k][rank]
        found.append(kernel("ncclDevKernel_AllReduce", begin, end - begin, 20, {
            "Collective name": "allreduce", "dtype": "Float", "In msg nelems": 9, "Out msg nelems": 9, "Group size": len(tails),
            "Process Group Name": "0"}))
        found.append(kernel("gemm", begin - then[k][rank], then[k][rank], 7, {}))
        if hidden[k][rank]:
            found.append(kernel("gemm", begin, min(hidden[k][rank], end - begin), 7, {}))
    found.append(kernel("gemm", ends[-1], tails[rank], 7, {}))
    return found


def changed(rows, rank, by):
    return [[by(row) if r == rank else v for r, v in enumerate(row)] for row in rows]


def run(paths, *options):
    out = subprocess.run([PROFKIT, "gpu", "-q", "--format", "json", *options, *paths], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def check(number, folder):
    rng = random.Random(number)
    ranks, count = rng.randint(2, 6), rng.randint(1, 8)
    then = [[rng.randint(10, 500) for _ in range(ranks)] for _ in range(count)]
    transfer = [rng.randint(10, 200) for _ in range(count)]
    # no longer than the transfer: what is beside the wait of a rank is there in full
    hidden = [[rng.choice([0, rng.randint(1, t)]) for _ in range(ranks)] for t in transfer]
    tails = [rng.randint(1, 100) for _ in range(ranks)]
    late = [0] + [rng.choice([0, rng.randint(1, 300)]) for _ in range(ranks - 1)]
    rng.shuffle(late)
    begins, ends, total = simulate(late, hidden, then, transfer, tails)
    paths = []
    for rank in range(ranks):
        base = number % 2 * 17 * 10**14 + rng.randint(0, 10**6)  # as clocks since 1970
        trace = {"schemaVersion": 1, "deviceProperties": [{"id": 0}], "distributedInfo": {"rank": rank, "world_size": ranks},
                 "traceEvents": events(rank, base, late[rank], hidden, then, begins, ends, tails, total)}
        paths.append(os.path.join(folder, f"{rank}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(json.dumps(trace))
    who = rng.randrange(ranks)
    idle = [total - ends[-1]] * ranks  # until the step ends, at the same time on all ranks
    half = changed([idle], who, lambda row: row[who] / 2)[0]
    expected = {
        f"rank:{who}/2": simulate(late, changed(hidden, who, lambda row: row[who] / 2), changed(then, who, lambda row: row[who] / 2),
                                  transfer, half)[2],
        f"rank:{who}=median": simulate(late, changed(hidden, who, statistics.median), changed(then, who, statistics.median),
                                       transfer, idle)[2],
        "communication/2": simulate(late, hidden, then, [t / 2 for t in transfer], idle)[2],
    }
    path = run(paths, "--critical-path")
    if path["replay"]["time"] != total * 1000 or abs(sum(row["time"] for row in path["rows"]) - total * 1000) > len(path["rows"]):
        return f"{number}: the path is of {path}, should be {total} us"
    result = run(paths, *[word for rule in expected for word in ("--what-if", rule)])
    times = {row["change"]: row["time"] for row in result["rows"]}
    wrong = {rule: (times[rule], time * 1000) for rule, time in expected.items() if abs(times[rule] - time * 1000) > 1}
    return f"{number}: {wrong}" if wrong else None


def main():
    failures = []
    for number in range(CASES):
        with tempfile.TemporaryDirectory() as folder:
            failures.append(check(number, folder))
    failures = [f for f in failures if f]
    print("\n".join(failures) or f"{CASES} jobs of random ranks: path and changes as simulated")
    return bool(failures)


sys.exit(main())
