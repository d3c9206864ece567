#!/usr/bin/env python3
"""Every trace of the corpus, written as trace events and read again, is the same profile."""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

profkit = os.environ["PROFKIT"]
corpus = os.environ.get("PROFKIT_CORPUS") or os.path.join(os.environ.get("srcdir", "."), "../shared/corpus")
if not os.path.isdir(corpus):
    print("skipped: no corpus")
    sys.exit(77)
# What is written differs where asynchronous spans lie on lanes and where spans without a duration
# stand at the edges of others; arrows from spans of no time are lost, and so are ends of nothing.
ODD = (
    "perf_sampling_trace_with_trace_events.json.gz",
    "speedscope/sample/profiles/Chrome/65/simple-timeline.json",
    "speedscope/sample/profiles/Chrome/66/worker.json",
    "speedscope/sample/profiles/Chrome/70/worker.json",
    "critical_path/end_to_end/simple_add/input/trace.json.gz",
    "critical_path/simple_add/benchmark_result_493459",
    "catapult/tracing/test_data/async_begin_end.json",
    "catapult/tracing/test_data/flow.json",
    "catapult/tracing/test_data/main_thread_has_unclosed_slices.json",
    "catapult/tracing/test_data/thread_time_visualisation.json.gz",
    "catapult/tracing/test_data/x_event_trace.json",
    "speedscope/sample/profiles/trace-event/only-begin-events.json",
    "real/jax/jax_train.expected-xprof-trace_viewer.json.gz",
    "real/perfetto/case-",
    "cases/attack/nan-args.json",  # NaN becomes a string
    ".py-spy-full.chrometrace.json",
    ".py-spy-native.chrometrace.json",
)


def run(*args):
    return subprocess.run([profkit, *args], capture_output=True)


def tables(path):
    done = run("convert", "-q", "--to", "json", path, "-")
    if done.returncode:
        return None
    found = json.loads(done.stdout.decode("utf-8", "replace"))["profiles"][0]
    return {name: [dict(zip(t["columns"], row)) for row in t["rows"]] for name, t in found.items()}


def flat(path):
    """What the tables say, without the numbers of their rows."""
    t = tables(path)
    if t is None:
        return None
    process = [None] + [tuple(p.values()) for p in t.get("process", [])]
    thread = [None] + [
        (process[r["process"] or 0], r["tid"], r["incarnation"], r["name"], r["sort"], r["role"])
        for r in t.get("thread", [])
    ]
    node = [()]
    for r in t.get("node", []):
        location = t["location"][r["location"] - 1]
        function = tuple(t["function"][location["function"] - 1].values())
        node.append(node[r["parent"] or 0] + ((function, location.get("line"), location.get("address")),))
    args = collections.defaultdict(tuple)
    for r in t.get("arg", []):
        args[r["owner"], r["row"]] += ((r.get("key"), r["value"]),)
    span = [None] + [
        (thread[r["thread"] or 0], r["time"], r["duration"], node[r["node"] or 0], r["category"], args["span", i])
        for i, r in enumerate(t.get("span", []), 1)
    ]
    rows = {
        "process": process,
        "thread": thread,
        "span": span,
        "sample": [
            (thread[r["thread"] or 0], r["time"], node[r["node"] or 0], r.get("metric", 1), r["value"])
            for r in t.get("sample", [])
        ],
        "metric": [tuple(r.values()) for r in t.get("metric", [])],
        "meta": [tuple(r.values()) for r in t.get("meta", [])],
        "run": [item for item in t["run"][0].items() if item[0] != "source"],
        "instant": [
            (thread[r["thread"] or 0], r["time"], r["name"], r["category"], args["instant", i])
            for i, r in enumerate(t.get("instant", []), 1)
        ],
        "counter": [
            (process[r["process"] or 0], r["time"], r["name"], r["series"], r["value"])
            for r in t.get("counter", [])
        ],
        "flow": [(span[r["from"] or 0], span[r["to"] or 0], r["category"]) for r in t.get("flow", [])],
        "cost": [
            (thread[r.get("thread") or 0], node[r["node"]], r.get("metric"), r["self"], r.get("calls"))
            for r in t.get("cost", [])
        ],
    }
    return {name: collections.Counter(values) for name, values in rows.items()}


same = odd = failed = 0
with tempfile.TemporaryDirectory() as work:
    again = os.path.join(work, "again.json")
    for path in sorted(glob.glob(corpus + "/**/*", recursive=True)):
        if not path.endswith((".json", ".json.gz")) or not os.path.isfile(path):
            continue
        if os.path.getsize(path) > 700_000:
            continue
        info = run("info", "-q", "--format", "csv", path)
        if info.returncode or b"\nformat,chrome\n" not in info.stdout:
            continue
        done = run("convert", "-q", "--to", "chrome", path, "-o", again)
        before, after = flat(path), flat(again) if not done.returncode else None
        if after == before:
            same += 1
        elif any(part in path for part in ODD) and after["sample"] == before["sample"]:
            odd += 1
        else:
            failed += 1
            what = [n for n in before if before[n] != after[n]] if after else done.stderr.decode()[:200]
            print(f"{path}: differs: {what}")
print(f"{same} traces are the same when written and read again, {odd} cannot be, {failed} are not")
sys.exit(1 if failed or not same else 0)
