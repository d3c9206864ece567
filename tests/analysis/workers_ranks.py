#!/usr/bin/env python3
"""Ranks of torch, one file each: clocks, who is slow, transfer and waiting, streams of a GPU.

Traces are laid out as Kineto's, with figures worked out by hand. Where there is a corpus
(PROFKIT_CORPUS), real traces of GPUs are added up a second way as well.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

US = 1000
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"
failures = []


def trace(rank, clock, steps, collectives=True, info=True):
    """Steps of 300 us: copy for 10, compute for `compute`, all-reduce until 210; on the rank's own clock."""
    head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 1}]}
    if info:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 3}
    events = [
        {"name": "process_labels", "ph": "M", "ts": clock, "pid": 4200, "tid": 0, "args": {"labels": "CPU"}},
        {"name": "process_labels", "ph": "M", "ts": clock, "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}}]
    events += [{"name": "thread_name", "ph": "M", "ts": clock, "pid": 0, "tid": tid, "args": {"name": f"stream {tid} "}}
               for tid in (7, 20)]

    def span(category, name, begin, end, pid, tid):
        events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": clock + begin,
                       "dur": end - begin, "args": {}})

    for i, (compute, beside) in enumerate(steps):
        t = 300 * i
        span("user_annotation", f"ProfilerStep#{i + 1}", t - 5, t + 290, 4200, 4200)
        # What the host does in that time is no business of the GPU's: it only queues work.
        span("user_annotation", "nccl:all_reduce", t + 20, t + 21 + rank, 4200, 4200)
        span("gpu_user_annotation", "step", t, t + 210, 0, 7)
        span("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", t, t + 10, 0, 7)
        span("kernel", "gemm", t + 10, t + 10 + compute, 0, 7)
        for begin, end in beside:
            span("kernel", "add", t + begin, t + end, 0, 7)
        if collectives:
            span("kernel", NCCL, t + 10 + compute, t + 210, 0, 20)
    return {**head, "traceEvents": events}


def run(traces, *args, command="workers"):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, each in enumerate(traces):
            paths.append(os.path.join(folder, f"rank{i}.json") if isinstance(each, dict) else each)
            if isinstance(each, dict):
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(json.dumps(each))
        command = [os.environ.get("PROFKIT", "./profkit"), command, "-q", "--format", "json", *args, *paths]
        ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {ran.stderr.decode()}")
    return json.loads(ran.stdout)


def check(what, got, want):
    if isinstance(want, float):
        want = float(f"{want:.6g}")
    if got != want:
        failures.append(f"{what}: {got}, should be {want}")


def parts(got, key):
    return [w[key] for w in got["workers"]]


def by_hand():
    # Of a step of 210: rank 0 computes 100 and, beside the all-reduce, 10; rank 1 100; rank 2 160. The all-reduce
    # takes rank 2 40, and all of them that; the rest is waiting for rank 2. Between two steps all wait for 90.
    ranks = [trace(0, 0, [(100, [(180, 190)])] * 2), trace(1, 5000, [(100, [])] * 2), trace(2, 90, [(160, [])] * 2)]
    got = run(ranks)
    check("by", got["window"]["by"], "rank")
    check("clock", got["window"]["clock"], "clocks aligned by the ends of collectives")
    check("window", got["window"]["end"] - got["window"]["start"], 510 * US)
    check("names", [n.split(" (")[0] for n in parts(got, "name")], ["rank 0", "rank 1", "rank 2"])
    check("useful", parts(got, "useful"), [220 * US, 200 * US, 320 * US])
    check("overhead", parts(got, "overhead"), [80 * US, 100 * US, 100 * US])
    # The last 20 of rank 0, while it transfers beside nothing, are no tail: transferring is not ending.
    check("wait and tail", [w["wait"] + w["tail"] for w in got["workers"]], [210 * US, 210 * US, 90 * US])
    check("start-up", parts(got, "startup"), [0, 0, 0])
    check("load balance", got["metrics"]["load_balance"], 740 / 3 / 320)
    check("slow rank", [got["diagnosis"][0]["code"], got["diagnosis"][0]["worker"].split(" (")[0]],
          ["static_imbalance", "rank 2"])
    # Without collectives the first step with the same name is where clocks meet.
    got = run([trace(r, c, [(n, [])] * 2, collectives=False) for r, c, n in ((0, 0, 100), (1, 5000, 100), (2, 90, 160))])
    check("steps", got["window"]["clock"], "clocks aligned by the start of the first ProfilerStep")
    check("steps: window", got["window"]["end"] - got["window"]["start"], 470 * US)
    check("steps: slow rank", got["diagnosis"][0]["worker"].split(" (")[0], "rank 2")
    # Not as many collectives: those that end at the same time are the same, and all time of the other one is waiting.
    got = run([ranks[0], trace(1, 0, [(100, [])])])
    check("uneven", [n for n in got["notes"] if "1 collective was found on one rank only" in n] != [], True)
    check("uneven: overhead", parts(got, "overhead"), [110 * US, 110 * US])
    # One rank has none: all time of those of the other is waiting.
    got = run([ranks[0], trace(1, 0, [(100, [])] * 2, collectives=False)])
    check("none", [n for n in got["notes"] if "2 collectives were found on one rank only" in n] != [], True)
    check("none: transfer", parts(got, "overhead"), [20 * US, 20 * US])
    # None ends at the same time.
    late = trace(1, 0, [(100, [])])
    for event in late["traceEvents"]:
        event["ts"] += 60 if event["name"] == NCCL else 0
    got = run([ranks[0], late])
    check("apart", [n for n in got["notes"] if "3 collectives were found on one rank only" in n] != [], True)
    check("apart: overhead", parts(got, "overhead"), [20 * US, 10 * US])
    # Equal ranks are good, and not called slow; those that no file numbers have its name.
    got = run([trace(r, r, [(200, [])] * 2, info=False) for r in range(2)])
    check("equal: worker", got["diagnosis"][0]["worker"], None)
    check("equal: names", parts(got, "name"), ["rank0.json", "rank1.json"])
    # The streams of one.
    got = run([ranks[0]], "--by", "stream")
    check("streams", sorted(zip(parts(got, "name"), parts(got, "useful"))),
          [("stream 20", 0), ("stream 7", 220 * US)])
    check("streams: sums", [sum(w[k] for k in ("useful", "overhead", "startup", "tail", "wait"))
                            for w in got["workers"]], [510 * US] * 2)


def length(spans):
    """Of the union."""
    total, reached = 0, None
    for begin, end in sorted(spans):
        if reached is None or begin > reached:
            total, reached = total + end - begin, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


def second_way(path):
    """Useful time of a GPU in ns: the union of kernels that are no collectives."""
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    kernels = [(round(e["ts"] * US), round(e["ts"] * US) + round(e["dur"] * US)) for e in events
               if e.get("cat") == "kernel" and not e["name"].startswith("nccl")]
    return length(kernels)


def collectives(path):
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    return [(round(e["ts"]) * US, (round(e["ts"]) + round(e["dur"])) * US) for e in events
            if e.get("cat") == "kernel" and e["name"].startswith("nccl")]


def real(corpus):
    data = corpus / "peers/HolisticTraceAnalysis/tests/data"
    paths = [data / "timeline_analysis/sampled_rank-0.json.gz", data / "trace_filter/sampled_rank-1.json.gz"]
    if not all(path.is_file() for path in paths):
        print("no real traces of GPUs here")
        return
    got = run(paths)
    check("real: useful", parts(got, "useful"), [second_way(path) for path in paths])
    span = got["window"]["end"] - got["window"]["start"]
    check("real: sums", [sum(w[k] for k in ("useful", "overhead", "startup", "tail", "wait"))
                         for w in got["workers"]], [span] * 2)
    check("real: clock", got["window"]["clock"], "clocks aligned by the ends of collectives")
    # These traces have a part of the kernels of a job of 128 ranks, and the same clock. The n-th collectives are not the same.
    first, second = (collectives(path) for path in paths)
    same = [(a, b) for a in first for b in second if a[0] <= b[1] and b[0] <= a[1]]
    apart = sorted(abs(a[1] - b[1]) for a, b in same)
    gpu = run(paths, "--view", "ranks", command="gpu")
    check("real: joined", [len(first), len(second), gpu["clocks"], gpu["collectives_of_one_rank"]],
          [10, 10, {"collectives": len(same), "ends_apart": apart[len(same) // 2], "ends_apart_most": apart[-1]},
           len(first) + len(second) - 2 * len(same)])
    check("real: waited for", [(row["last"], row["kept_waiting"]) for row in gpu["rows"]],
          [(0, 0), (len(same), sum(abs(a[0] - b[0]) for a, b in same))])


def main():
    by_hand()
    real(pathlib.Path(os.environ.get("PROFKIT_CORPUS",
                                     pathlib.Path(os.environ.get("srcdir", ".")) / "../shared/corpus")))
    print("\n".join(failures))
    print(f"{len(failures)} figures of ranks differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
