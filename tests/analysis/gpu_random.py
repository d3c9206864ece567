#!/usr/bin/env python3
"""Random small traces of GPUs: every ns of a step is looked at alone here, which is slow and has no sweep, no
union of intervals and no order of events. Breakdown, overlap, gaps, queues and exposed communication must be equal, and steps and
overlap of the part that all traces make in random groups. As many traces of ranks, whose clocks are apart by known amounts,
tell how long ranks wait for each other. Sums over all traces are those of kernels, launches and copies.
"""
import csv
import io
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

TRACES = 200
BASE = 1700000000000000000
KINDS = {"gemm": "computation", "ncclDevKernel_AllReduce": "communication", "Memcpy HtoD (Pinned -> Device)": "copy",
         "Memcpy DtoH (Device -> Pinned)": "copy"}
IDLE = ["launch", "data_loading", "host_wait", "kernel_wait", "other_idle"]
failures = []


def check(what, is_, should):
    if is_ != should:
        failures.append(f"{what}: is {is_}, should be {should}")


def make(rng, rank):
    """Works, launches, steps and loading within 400 ns, on up to 3 streams. Scaled, so that some gaps exceed 30 us."""
    scale = rng.choice([1, 1, 200])
    works, at = [], {}
    for number in range(rng.randint(1, 12)):
        stream = rng.choice([7, 20, 21])
        start = at.get(stream, 0) + rng.choice([0, rng.randint(0, 60)])
        length = rng.choice([0, rng.randint(1, 80)])
        at[stream] = start + length
        call = None
        if rng.random() < 0.85:
            call = start - rng.randint(0, 70)
        works.append({"stream": stream, "start": start + 100, "end": start + length + 100,
                      "call": None if call is None else call + 100, "name": rng.choice(list(KINDS)), "number": number})
    steps, begin = [], rng.randint(0, 150)
    for _ in range(rng.choice([0, 1, 2, 3])):
        end = begin + rng.randint(1, 150)
        steps.append((begin, end))
        begin = end + rng.choice([0, rng.randint(1, 30)])
    loading = [(a, a + rng.randint(1, 60)) for a in (rng.randint(0, 500) for _ in range(rng.choice([0, 2])))]
    for w in works:
        w.update({k: w[k] * scale for k in ("start", "end")}, call=None if w["call"] is None else w["call"] * scale,
                 host=w["number"] * 7 % 30 * scale * (25 if scale > 1 else 1), bytes=1000 * w["number"] if w["number"] % 3 else None)
    return {"rank": rank, "works": works, "steps": [(a * scale, b * scale) for a, b in steps],
            "loading": [(a * scale, b * scale) for a, b in loading], "scale": scale}


def write(trace, path):
    events = []

    def span(category, name, start, end, pid, tid, **args):
        events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start / 1000,
                       "dur": (end - start) / 1000, "args": args})
    for number, (start, end) in enumerate(trace["steps"]):
        span("user_annotation", f"ProfilerStep#{number}", start, end, 50, 50)
    for start, end in trace["loading"]:
        span("user_annotation", "enumerate(DataLoader)", start, end, 50, 51 + len(events))
    for w in trace["works"]:
        if w["call"] is not None:
            span("cuda_runtime", "cudaLaunchKernel", w["call"], w["call"] + w["host"], 50, 500 + w["number"], correlation=w["number"] + 1)
        category = "gpu_memcpy" if "Memcpy" in w["name"] else "kernel"
        size = {"bytes": w["bytes"]} if category == "gpu_memcpy" and w["bytes"] is not None else {}
        span(category, w["name"], w["start"], w["end"], 0, w["stream"], correlation=w["number"] + 1, stream=w["stream"], **size)
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"schemaVersion": 1, "deviceProperties": [], "distributedInfo": {"rank": trace["rank"]},
                               "baseTimeNanoseconds": BASE, "traceEvents": events}))


def windows(trace):
    if trace["steps"]:
        return list(enumerate(trace["steps"]))
    works = trace["works"]
    return [("", (min(w["start"] for w in works), max(w["end"] for w in works)))]


def what_runs(trace, t):
    return {KINDS[w["name"]] for w in trace["works"] if w["start"] <= t < w["end"]}


def why_idle(trace, t):
    """The works before and after the gap around t decide."""
    begin = min([w["start"] for w in trace["works"]] + [windows(trace)[0][1][0]])
    before = max([w["end"] for w in trace["works"] if w["end"] <= t] + [begin])
    later = [w for w in trace["works"] if w["start"] > t]
    if any(w["start"] <= t and w["start"] == w["end"] for w in trace["works"]):
        before = max([before] + [w["start"] for w in trace["works"] if w["start"] <= t])
    loads = any(a <= t < b for a, b in trace["loading"])
    if not later and all(w["call"] is None for w in trace["works"]):
        return "other_idle"
    if not later:
        return "data_loading" if loads else "host_wait"
    after = later[0]
    if after["call"] is None:
        return "other_idle"
    if after["call"] > before:
        if t >= after["call"]:
            return "launch"
        return "data_loading" if loads else "host_wait"
    return "kernel_wait" if after["start"] - before < 30000 else "other_idle"


def times(trace, start, end):
    """By what ran, or why nothing did. Of a scaled trace all moments within one unit are alike."""
    sums = {}
    for t in range(start, end, trace["scale"]):
        running = what_runs(trace, t)
        key = "+".join(k for k in dict.fromkeys(KINDS.values()) if k in running) if running else why_idle(trace, t)
        sums[key] = sums.get(key, 0) + trace["scale"]
    return sums


def expect_step(sums):
    def with_all(*kinds, without=()):
        return sum(v for k, v in sums.items() if k not in IDLE and set(kinds) <= set(k.split("+")) and
                   not set(without) & set(k.split("+")))
    row = {"computation": with_all("computation"),
           "exposed_communication": with_all("communication", without=["computation"]),
           "exposed_copies": with_all("copy", without=["computation", "communication"]),
           **{k: sums.get(k, 0) for k in IDLE}, "communication": with_all("communication"), "copies": with_all("copy"),
           "busy": with_all()}
    row["time"] = sum(sums.values())
    return row


def queue(trace, stream):
    changes = []
    for w in trace["works"]:
        if w["stream"] == stream and w["call"] is not None:
            changes += [(w["call"], -1), (w["start"], 1)]  # launches first
    lengths, length = [], 0
    for _, by in sorted(changes):
        length -= by
        lengths.append(length)
    return lengths


def gaps(trace, stream):
    rows = {}
    works = [w for w in trace["works"] if w["stream"] == stream]
    for number, after in enumerate(works[1:], 1):
        before = max(w["end"] for w in works[:number])
        gap = after["start"] - before
        if gap <= 0:
            continue
        reason = "other_idle"
        if after["call"] is not None and after["call"] > before:
            reason = "host_wait"
        elif after["call"] is not None and gap < 30000:
            reason = "kernel_wait"
        rows.setdefault(reason, []).append(gap)
    return rows


def rows_of(view, *arguments):
    text = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--view", view, "--format", "csv", *arguments], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def profkit(view, folder):
    by_rank = {}
    for row in rows_of(view, folder):
        by_rank.setdefault(int(row["rank"]), []).append(row)
    return by_rank


def make_part(rng, folder):
    """The sum of parts of random groups of the traces, which are added in two groups."""
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder))
    rng.shuffle(paths)
    ends = sorted(rng.sample(range(1, len(paths)), 5))
    parts = []
    for number, (a, b) in enumerate(zip([0, *ends], [*ends, len(paths)])):
        parts.append(os.path.join(folder, f"{number}.db"))
        subprocess.run([os.environ["PROFKIT"], "reduce", "-q", "-o", parts[-1], *paths[a:b]], check=True)
    rng.shuffle(parts)
    for name, these in (("half.db", parts[:3]), ("whole.db", [*parts[3:], os.path.join(folder, "half.db")])):
        subprocess.run([os.environ["PROFKIT"], "merge", "-q", "-o", os.path.join(folder, name), *these], check=True)
    return os.path.join(folder, "whole.db")


def expect_kernels(works):
    rows = {}
    for name in {w["name"] for w in works}:
        times = [w["end"] - w["start"] for w in works if w["name"] == name]
        whole = sum(w["end"] - w["start"] for w in works)
        rows[name] = [KINDS[name], len(times), sum(times), min(times), max(times), f"{sum(times) / whole:.6g}",
                      f"{statistics.stdev(times):.10g}"]
    return rows


def kernels_of(rows):
    return {r["name"]: [r["kind"], *(int(r[k]) for k in ("calls", "total", "min", "max")), r["share"],
                        f"{float(r['stddev']):.10g}"] for r in rows}


def expect_launches(works):
    """A delay begins at the end of the call; there is none if the work begins within it."""
    launched = [w for w in works if w["call"] is not None]
    delays = [max(0, w["start"] - w["call"] - w["host"]) for w in launched]
    return {"calls": len(launched), "host": sum(w["host"] for w in launched), "delay_max": max(delays),
            "device": sum(w["end"] - w["start"] for w in launched),
            "short_works": sum(w["end"] - w["start"] < w["host"] for w in launched),
            "slow_calls": sum(w["host"] > 50000 for w in launched)}


def expect_copies(works):
    rows = []
    for name in {w["name"] for w in works if "Memcpy" in w["name"]}:
        copies = [w for w in works if w["name"] == name]
        rates = [w["bytes"] / (w["end"] - w["start"]) for w in copies if w["bytes"] is not None and w["end"] > w["start"]]
        rows.append({"name": name, "count": str(len(copies)), "bytes": str(sum(w["bytes"] or 0 for w in copies)),
                     "time": str(sum(w["end"] - w["start"] for w in copies)),
                     "bandwidth_min": f"{min(rates):.6g}", "bandwidth_max": f"{max(rates):.6g}"})
    return sorted(rows, key=lambda r: -int(r["time"]))


def collectives(rng, folder):
    """Traces of ranks whose clocks are apart by known amounts. All ranks are one group, or each shares a group only with the
    next one, so that clocks are known through others, or pairs share none. Files are in a random order. A collective ends on
    each rank up to `jitter` after it ended. What a rank waits for the last one is then right to twice the jitter; without
    jitter it is exact."""
    ranks, jitter = rng.randint(2, 8), rng.choice([0, 0, rng.randint(1, 40)])
    groups = rng.choice([[tuple(range(ranks))], [(r, r + 1) for r in range(ranks - 1)],
                         [(r, r + 1) if r + 3 != ranks else (r, r + 1, r + 2) for r in range(0, ranks - 1, 2)]])
    names = rng.sample(range(ranks), ranks)
    clock = [rng.randint(-10**9, 10**9) for _ in range(ranks)]
    now, events, waits = [0] * ranks, [[] for _ in range(ranks)], {}
    for _ in range(rng.randint(1, 7)):
        for group in groups:
            begins = {r: now[r] + rng.randint(100, 5000) for r in group}
            end = max(begins.values()) + rng.randint(200, 900)
            waits.setdefault(len(group), []).append(max(begins.values()) - min(begins.values()))
            for r in group:
                now[r] = end + rng.randint(0, jitter)
                events[r].append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 20,
                                  "ts": (begins[r] + clock[r]) / 1000, "dur": (now[r] - begins[r]) / 1000,
                                  "args": {"Collective name": "allreduce", "In msg nelems": 9, "Out msg nelems": 9,
                                           "dtype": "Float", "Group size": len(group), "Process Group Name": str(group[0]),
                                           "Process Group Ranks": str(list(group))}})
    for r in range(ranks):
        with open(os.path.join(folder, f"{names[r]}.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"schemaVersion": 1, "deviceProperties": [], "distributedInfo": {"rank": r},
                                   "baseTimeNanoseconds": BASE, "traceEvents": events[r]}))
    return ranks, jitter, waits


def check_clocks():
    rng, traces = random.Random(64), 0
    while traces < TRACES:
        with tempfile.TemporaryDirectory() as folder:
            ranks, jitter, waits = collectives(rng, folder)
            text = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--view", "communication", "--format", "csv", folder],
                                  check=True, stdout=subprocess.PIPE, text=True).stdout
        traces += ranks
        for row in csv.DictReader(io.StringIO(text)):
            should = waits.pop(int(row["ranks"]))
            check(f"{traces}: collectives", int(row["count"]), len(should))
            mean = sum(should) / len(should)
            for what, is_, true, bound in (("wait_max", int(row["wait_max"]), max(should), 2 * jitter),
                                           ("wait_mean", float(row["wait_mean"]), mean, 2 * jitter + 1)):
                if abs(is_ - true) > bound:
                    failures.append(f"{traces}: {what}: is {is_}, should be {true}, give or take {bound}")
        check(f"{traces}: missing", waits, {})


def main():
    check_clocks()
    rng = random.Random(19)
    traces = [make(rng, rank) for rank in range(TRACES)]
    with tempfile.TemporaryDirectory() as folder:
        for trace in traces:
            write(trace, os.path.join(folder, f"rank{trace['rank']}.json"))
        views = {v: profkit(v, folder) for v in ("steps", "overlap", "queue", "idle")}
        works = [w for t in traces for w in t["works"]]
        check("kernels", kernels_of(rows_of("kernels", folder)), expect_kernels(works))
        launches, should = rows_of("launches", folder)[0], expect_launches(works)
        check("launches", {k: int(launches[k]) for k in should}, should)
        should = expect_copies(works)
        check("copies", [{k: r[k] for k in should[0]} for r in rows_of("copies", folder)], should)
        three = [t for t in traces if len(t["steps"]) == 3]
        paths = [os.path.join(folder, f"rank{t['rank']}.json") for t in three]
        within = [w for t in three for w in t["works"] if any(a <= w["start"] < b for a, b in t["steps"][1:])]
        check("kernels of two steps", kernels_of(rows_of("kernels", "--step", "1..2", *paths)), expect_kernels(within))
        part = make_part(rng, folder)
        parts = {v: profkit(v, part) for v in ("steps", "overlap")}
    for trace in traces:
        rank = trace["rank"]
        # Of works with one begin the longer comes first, then that of the stream that the file has first.
        streams = list(dict.fromkeys(w["stream"] for w in trace["works"]))
        trace["works"].sort(key=lambda w: (w["start"], -w["end"], streams.index(w["stream"])))
        whole = {}
        rows = views["steps"][rank]
        check(f"{rank}: steps", [r["step"] for r in rows], [str(n) for n, _ in windows(trace)])
        for row, (number, (start, end)) in zip(rows, windows(trace)):
            sums = times(trace, start, end)
            for key, value in sums.items():
                whole[key] = whole.get(key, 0) + value
            should = expect_step(sums)
            check(f"{rank}: step {number}", {k: int(row[k]) for k in should}, should)
            check(f"{rank}: step {number}: time", int(row["time"]), end - start)
            of_part = parts["steps"][rank][rows.index(row)]
            check(f"{rank}: step {number} of the part", [of_part["step"], {k: int(of_part[k]) for k in should}], [row["step"], should])
        idle = sum(whole.pop(k, 0) for k in IDLE)
        check(f"{rank}: overlap", {r["what"]: int(r["time"]) for r in views["overlap"].get(rank, [])},
              {**whole, **({"idle": idle} if idle else {})})
        check(f"{rank}: overlap of the part", parts["overlap"].get(rank), views["overlap"].get(rank))
        check(f"{rank}: streams", {int(r["stream"]) for r in views["queue"][rank]}, {w["stream"] for w in trace["works"]})
        for row in views["queue"][rank]:
            lengths = queue(trace, int(row["stream"]))
            check(f"{rank}: queue of {row['stream']}",
                  [row["length_max"], row["length_mean"] and float(row["length_mean"])],
                  [str(max(lengths)), float(f"{statistics.fmean(lengths):.6g}")] if lengths else ["", ""])
        for stream in {w["stream"] for w in trace["works"]}:
            check(f"{rank}: gaps of {stream}",
                  {r["reason"]: [int(r["gaps"]), int(r["time"]), int(r["longest"])] for r in views["idle"].get(rank, [])
                   if int(r["stream"]) == stream},
                  {k: [len(v), sum(v), max(v)] for k, v in gaps(trace, stream).items()})
    print("\n".join(failures[:20]) or f"{TRACES} traces: equal")
    return bool(failures)


sys.exit(main())
