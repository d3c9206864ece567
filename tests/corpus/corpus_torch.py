#!/usr/bin/env python3
"""profkit ops of every recording of torch.profiler in the corpus is what torch itself said.

Each recording has, written by torch in the same process, the tables that key_averages() prints
(compared byte for byte for torch 2.4 and later), their numbers, and the stacks of export_stacks;
the recording with a GPU has numbers worked out by an independent script. Versions up to 2.2 wrote
whole microseconds: there SOURCE.md beside the files says what can be asked for. Skipped where there
is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import gzip
import json
import os
import re
import subprocess
import sys

from corpus import corpus

SKIP = 77
ROUNDED = re.compile("^t(22|113)-")  # torch <= 2.2
TABLES = {
    "by-shape": ["--by-shape", "--sort", "cpu_time_total"],
    "by-stack5": ["--by-stack", "5", "--sort", "self_cpu_time_total"],
    "by-overload": ["--by-overload", "--sort", "cpu_time_total"],
    "unsorted-top10": ["-n", "10", "--name-width", "40"],
}
failures = []
done = {}


def profkit(*args):
    command = [os.environ.get("PROFKIT", "./profkit"), *map(str, args)]
    ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        failures.append(f"{' '.join(command)}: {ran.stderr.decode()}")
    return ran.stdout


def ops(path, *args):
    text = profkit("ops", "-q", "--format", "json", *args, path)
    return json.loads(text) if text else {"rows": []}


def check(what, name, got, want):
    done[what] = done.get(what, 0) + 1
    if got != want:
        failures.append(f"{what}: {name}: {str(got)[:200]} should be {str(want)[:200]}")


def recordings(folder):
    for path in sorted(folder.glob("*.json*")):
        if re.search(r"expected|memory_timeline", path.name):
            continue
        yield re.sub(r"(\.pt\.trace)?\.json(\.gz)?$", "", path.name), path


def compare_tables(name, path):
    for table in sorted(path.parent.glob(f"{name}.expected-table-*.txt")):
        kind = table.stem.split("expected-table-")[1]
        args = TABLES.get(kind, ["--sort", kind])
        limit = [] if "-n" in args else ["--limit", "0"]
        got = profkit("ops", "-q", "--like", "torch", *limit, *args, path)
        check("tables of torch, byte for byte", table.name, got, table.read_bytes())


def expected_rows(name, path, kind=""):
    file = path.parent / f"{name}.expected-key_averages{kind}.json"
    return json.loads(file.read_text())["rows"] if file.exists() else []


def key(row):
    return row["name"], row["input_shapes"] or ""


def compare_numbers(name, path, kind, args):
    """Exact ns, bytes and operations, beside the printed digits; names as far as the file has them."""
    got = {}
    for row in ops(path, *args)["rows"]:
        got.setdefault(key(row), []).append(row)
    for want in expected_rows(name, path, kind):
        rows = got.get((want["key"], want["input_shapes"]), [])
        if name == "odd_names" and (want["key"] in ("[memory]", "left open") or not rows):
            continue  # the writer changed these names, or the end of the row
        if len(rows) != 1:
            check("numbers of key_averages", f"{name} {want['key']}", len(rows), 1)
            continue
        row = rows[0]
        numbers = [row["calls"], row["cpu_total"] / 1000, row["cpu_self"] / 1000,
                   row["flops"] or 0, row["cpu_memory_total"] or 0, row["cpu_memory_self"] or 0]
        check("numbers of key_averages", f"{name} {want['key']}", numbers,
              [want[k] for k in ("count", "cpu_time_total_us", "self_cpu_time_total_us", "flops",
                                 "cpu_memory_usage", "self_cpu_memory_usage")])


def compare_rounded(name, path):
    """CPU total at most 1 us per call too high, where as many calls are seen."""
    got = {row["name"]: row for row in ops(path)["rows"] if row["cpu_total"] is not None}
    for want in expected_rows(name, path):
        if want["key"] == "[memory]":
            continue
        row = got.get(want["key"], {"calls": 0})
        what = f"{name} {want['key']}"
        check("calls of torch <= 2.2, within 2", what, abs(row["calls"] - want["count"]) <= 2, True)
        if row["calls"] == want["count"]:
            over = row["cpu_total"] / 1000 - want["cpu_time_total_us"]
            check("CPU total of torch <= 2.2, within 1 us per call", what,
                  -0.001 <= over <= want["count"] + 0.001, True)


def compare_stacks(name, path):
    for file in path.parent.glob(f"{name}.expected-stacks-self_cpu_time_total.txt"):
        got = profkit("convert", "-q", "--to", "torch-stacks", path, "-")
        check("stacks of export_stacks", file.name, got, file.read_bytes())


def compare_gpu(path):
    want = json.loads(path.with_name(path.stem + ".expected-gpu.json").read_text())
    for part, category in (("cpu_ops_only", "^cpu_op$"),
                           ("cpu_ops_and_runtime",
                            "^(cpu_op|user_annotation|cuda_runtime|cuda_driver)$")):
        got = {row["name"]: row for row in ops(path, "--category", category)["rows"]}
        for row in want[part]["rows"]:
            mine = got.pop(row["name"], {})
            check("rows of the recording with a GPU", f"{part} {row['name']}",
                  [mine.get(k) for k in ("calls", "cpu_total", "cpu_self", "device_total",
                                         "device_self")],
                  [row[k] for k in ("count", "cpu_total", "cpu_self", "cuda_total", "cuda_self")])
        check("rows of the recording with a GPU", part, list(got), [])
    result = ops(path)
    got = {row["name"]: row for row in result["rows"]}
    for part in ("kernel", "gpu_memcpy", "gpu_memset"):
        for row in want[part]["rows"]:
            mine = got[row["name"]]
            check("rows of the recording with a GPU", row["name"],
                  [mine["calls"], mine["device_self"], mine["device_total"], mine["cpu_total"]],
                  [row["count"], row["total"], row["total"], None])
    for row in want["runtime_calls"] + want["overhead"] + [
            {"name": name, **wait} for name, wait in want["waits"].items()]:
        mine = got[row["name"]]
        check("rows of the recording with a GPU", row["name"],
              [mine["calls"], mine["cpu_total"]], [row["count"], row["total"]])
    compare_waits(path, result["waits"])


def compare_waits(path, waits):
    """By brute force: what overlaps each call that synchronises or copies back."""
    events = [e for e in json.loads(path.read_text())["traceEvents"] if e["ph"] == "X"]
    work = [e for e in events if e["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")]
    back = {e["args"]["correlation"] for e in work if "DtoH" in e["name"]}
    calls = [e for e in events if e["cat"] == "cuda_runtime" and
             ("Synchronize" in e["name"] or e["args"].get("correlation") in back)]
    blamed, idle, total = {}, 0, 0

    def ends(e):
        start = round(e["ts"] * 1000)
        return start, start + round(e["dur"] * 1000)

    for call in calls:
        start, end = ends(call)
        total += end - start
        moments = set()
        for e in work:
            a, b = max(start, ends(e)[0]), min(end, ends(e)[1])
            if a < b:
                blamed[e["name"]] = blamed.get(e["name"], 0) + b - a
                moments.update(range(a, b))
        idle += end - start - len(moments)
    check("waits for the GPU", path.name, [waits["calls"], waits["time"], waits["idle"]],
          [len(calls), total, idle])
    check("waits for the GPU", path.name, {w["name"]: w["time"] for w in waits["meanwhile"]}, blamed)


def compare_summary(path):
    """How busy the GPU was; all that is left is said of the host."""
    want = json.loads(path.with_name(path.stem + ".expected-gpu.json").read_text())
    stream, = want["streams"].values()
    gpu, = json.loads(profkit("summary", "-q", "--format", "json", path))["trace"]["gpus"]
    check("use of the GPU", path.name,
          [gpu["busy"], gpu["last"] - gpu["first"], gpu["kernels"] + gpu["copies"],
           gpu["longest_gap"]],
          [stream["busy_union"], stream["span"], stream["sum_of_durations"],
           stream["gaps"]["max"]])
    check("use of the GPU", path.name + " host", sum(h["time"] for h in gpu["host_meanwhile"]),
          stream["idle"])


def compare_hta(folder):
    """Numbers worked out when the format was described; and all files can be read."""
    path = folder / "ns_resolution_trace"
    files = sorted(path.glob("rank-0*.json.gz"))
    want = {"## backward ##": (239917174, 240674644, 5),
            "cudaLaunchKernel": (206153292, 206153292, 4350),
            "cudaDeviceSynchronize": (89171621, 89171621, 1),
            "cudaMemcpyAsync": (52792140, 52792140, 1600),
            "DistributedDataParallel.forward": (19060918, 145370936, 5)}
    for file in files:
        rows = {r["name"]: r for r in ops(file)["rows"] if r["cpu_self"] is not None}
        for name, numbers in want.items():
            row = rows[name]
            check("rows of HTA's recording", name,
                  (row["cpu_self"], row["cpu_total"], row["calls"]), numbers)
        check("rows of HTA's recording", "aten::cudnn_convolution",
              rows["aten::cudnn_convolution"]["device_self"], 89867359)
        # What a kernel is linked to does not change the sum; duplicates removed do not either.
        total = sum(r["cpu_self"] for r in rows.values())
        check("rows of HTA's recording", "sum", total, 712600186)
    for file in sorted(folder.rglob("*.json.gz")) + sorted(folder.rglob("*.json")):
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as f:
            if b'"schemaVersion"' not in f.read(4096):
                continue
        check("recordings of HTA that can be read", file.name, bool(ops(file)["rows"]), True)


def compare_jax(folder):
    """Operations of XLA by name: their number and duration."""
    for file in sorted(folder.glob("*.trace.json.gz")):
        want = {}
        for e in json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]:
            if e.get("ph") == "X" and "hlo_op" in e.get("args", {}):
                row = want.setdefault(e["name"], [0, 0])
                row[0] += 1
                row[1] += int(e["dur"] * 1000 + 0.5)
        got = {r["name"]: [r["calls"], r["cpu_total"]] for r in ops(file)["rows"]}
        check("operations of XLA", file.name, got, want)


def main():
    folder = corpus() / "real/torch"
    if not folder.is_dir():
        print(f"skipped: no {folder}")
        return SKIP
    for name, path in recordings(folder):
        if ROUNDED.match(name):
            compare_rounded(name, path)
            compare_stacks(name, path)
            continue
        if name != "odd_names":
            compare_tables(name, path)
        compare_numbers(name, path, "", [])
        compare_numbers(name, path, "-by-shape", ["--by-shape"])
        compare_stacks(name, path)
    compare_gpu(folder / "gpu_calc.json")
    compare_summary(folder / "gpu_calc.json")
    compare_hta(corpus() / "peers/HolisticTraceAnalysis/tests/data")
    compare_jax(corpus() / "real/jax")
    for what, count in done.items():
        print(f"{count:5} {what}")
    for failure in failures[:40]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
