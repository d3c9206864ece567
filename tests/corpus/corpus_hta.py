#!/usr/bin/env python3
"""The analyses of HolisticTraceAnalysis 0.5.0 (corpus/real/hta): profkit gpu --like hta-... prints the same numbers.

Each analysis of HTA has its row. Those of ANALYSES are equal in all rows on all traces of TRACES, but for what DIFFERENT explains:

get_temporal_breakdown                  temporal_breakdown
get_idle_time_breakdown                 idle_time_breakdown-0, -1
get_gpu_kernel_breakdown                kernel_breakdown-0, -1 (kernel_breakdown_all-0 is the same as -0), _all-1
get_gpu_user_annotation_breakdown       user_annotation_breakdown_gpu, _cpu
get_comm_comp_overlap                   comm_comp_overlap
get_queue_length_summary, time_series   queue_length_summary, queue_length_time_series
get_time_spent_blocked_on_full_queue    blocked_on_full_queue
get_memory_bw_summary, time_series      memory_bw_summary, memory_bw_time_series
generate_trace_with_counters            --counters -o: check_counters
get_cuda_kernel_launch_stats            launch_stats
get_aten_op_kernels_and_delay           aten_op_kernels_and_delay
get_frequent_cuda_kernel_sequences      --view sequences --operator: check_sequences
TraceDiff.compare_traces                compare_traces-ALL, -CPU, -GPU
TraceDiff.ops_diff                      the names of each category of --like hta-diff: check_ops_diff
critical_path_analysis                  --critical-path has other weights (man page): check_critical_path compares what must be equal
critical path: breakdown, summary       --critical-path, --by operator; the classes of bound_by are its classes, with launch delays and gaps
overlay_critical_path_analysis          --critical-path -o: the trace with the path marked (tests/cli/gpu/critical-marked.sh)
TraceDiff.visualize_*, plots            not there: pictures of these tables; -o x.svg has profkit's own
get_profiler_steps                      --view steps: the numbers of the steps, but the last, which HTA leaves out: check_steps
get_potential_stragglers                not equal on purpose: HTA looks at kernels named ncclKernel*, which NCCL has not had since 2.19;
                                        --view ranks counts who comes last in each collective, --critical-path of ranks what that costs
get_cupti_counter_data_with_operators   --like hta-cupti: check_cupti (all 693 values were equal to those of HTA itself)
memory analysis (raw.json.gz of torch)  format torch-timeline: corpus_torch_timeline.py
execution-trace correlation             not there: it joins a trace with PyTorch's execution trace, a format that is not read
get_gpu_kernels_with_user_annotations   --view kernels --by annotation: sums by the innermost annotation around the launch; HTA
                                        lists the kernels
"""
import collections
import csv
import gzip
import io
import json
import math
import os
import subprocess
import sys
import tempfile

import corpus

CORPUS = os.path.abspath(corpus.corpus())
DATA = f"{CORPUS}/peers/HolisticTraceAnalysis/tests/data"
TRACES = {
    "amd": ["amd_trace/mi250_minitoy_train_ROCm6_2_kineto.json.gz"],
    "cp_event_sync": ["critical_path/cuda_event_sync_multi_stream/event_sync_trace.json.gz"],
    "cp_simple_add": ["critical_path/simple_add/benchmark_result_493459_1694039959_trace.json.gz"],
    "diff_control_test": ["trace_diff/control/control.json.gz", "trace_diff/test/test.json.gz"],
    "gpu_calc": [f"{CORPUS}/real/torch/gpu_calc.json"],
    "gpu_calc-noround": [f"{CORPUS}/real/torch/gpu_calc.json"],
    "ns_resolution": ["ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"],
    "ns_resolution-noround": ["ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"],
    "timeline_rank0": ["timeline_analysis/sampled_rank-0.json.gz"],
    "triton": ["triton_example/triton_example.json.gz"],
    "two_ranks": ["timeline_analysis/sampled_rank-0.json.gz", "trace_filter/sampled_rank-1.json.gz"],
}
# analysis: the option, the key columns
ANALYSES = {
    "temporal_breakdown": ("hta", ["rank"]),
    "idle_time_breakdown-0": ("hta-idle", ["rank", "stream", "idle_category"]),
    "idle_time_breakdown-1": ("hta-idle-intervals", None),
    "kernel_breakdown-0": ("hta-kernel-types", ["kernel_type"]),
    "kernel_breakdown-1": ("hta-kernels", ["name", "rank", "kernel_type"]),
    "kernel_breakdown_all-1": ("hta-kernels --limit 0", ["name", "rank", "kernel_type"]),
    "user_annotation_breakdown_gpu": ("hta-gpu-annotations", ["name", "rank"]),
    "user_annotation_breakdown_cpu": ("hta-cpu-annotations", ["name", "rank"]),
    "comm_comp_overlap": ("hta-overlap", ["rank"]),
    "queue_length_summary": ("hta-queue", ["rank", "stream"]),
    "queue_length_time_series": ("hta-queue-series", None),
    "blocked_on_full_queue": ("hta-full-queue", ["rank"]),
    "memory_bw_summary": ("hta-bandwidth", ["rank", "name"]),
    "memory_bw_time_series": ("hta-bandwidth-series", None),
    "aten_op_kernels_and_delay": ("hta-operators", ["rank", "aten_op_name", "kernel_sequence"]),
    "compare_traces-ALL": ("hta-diff", ["name"]),
    "compare_traces-CPU": ("hta-diff-cpu", ["name"]),
    "compare_traces-GPU": ("hta-diff-gpu", ["name"]),
    "launch_stats": ("hta-launches", ["rank", "correlation"]),
}
# (trace, analysis): why rows may differ.
TIE = "changes at the same us: HTA's sort has no fixed order; without rounding there are none, and the tables equal"
DOUBLES = "us since 1970 with three decimals do not fit a double, in which HTA knows them to 0.25 us; here they are exact"
DIFFERENT = {
    ("cp_simple_add", "queue_length_summary"): TIE,
    ("cp_simple_add", "queue_length_time_series"): TIE,
    ("ns_resolution", "queue_length_summary"): TIE,
    ("ns_resolution", "queue_length_time_series"): TIE,
    ("ns_resolution", "memory_bw_summary"): TIE,
    ("ns_resolution", "memory_bw_time_series"): TIE,
    **{("ns_resolution-noround", a): DOUBLES for a in (
        "temporal_breakdown", "idle_time_breakdown-0", "idle_time_breakdown-1", "queue_length_time_series",
        "memory_bw_time_series", "launch_stats", "aten_op_kernels_and_delay")},
    ("timeline_rank0", "aten_op_kernels_and_delay"): "of operators that begin at the same us, HTA takes any; here it is the innermost",
    ("two_ranks", "aten_op_kernels_and_delay"): "the same, and HTA adds the rows of rank 0 to those of rank 1",
}
failures, table = [], []


def expected(prefix, analysis):
    """Rows of all ranks: dictionaries of texts. None: HTA has no such table."""
    rows = []
    names = sorted(n for n in os.listdir(f"{CORPUS}/real/hta")
                   if n == f"{prefix}.expected-hta-{analysis}.csv" or n.startswith(f"{prefix}.expected-hta-{analysis}-rank"))
    for name in names:
        with open(f"{CORPUS}/real/hta/{name}", newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        if analysis.endswith("_summary") and len(lines[0]) == 8:  # without rows
            continue
        if analysis.endswith("_summary"):  # three lines of head: names of columns are in two of them
            lines = [lines[2][:2] + lines[1][2:]] + lines[3:]
        if not lines or not lines[0]:
            continue
        for line in lines[1:]:
            row = dict(zip(lines[0], line))
            if "-rank" in name:
                row["rank"] = name.rsplit("-rank", 1)[1][:-4]
            rows.append(row)
    return rows if names else None


def printed(prefix, option):
    files = [t if t.startswith("/") else f"{DATA}/{t}" for t in TRACES[prefix]]
    command = [os.environ["PROFKIT"], "gpu", "-q", "--like", *option.split(), *files]
    if prefix.endswith("-noround"):
        command.append("--exact")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        failures.append(f"{prefix}: {option}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def number(text):
    try:
        return float(text) if text else math.nan
    except ValueError:
        return text


def same(a, b):
    a, b = number(a), number(b)
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return math.isnan(a) and math.isnan(b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=6e-4)


def key_of(row, keys):
    return [number(row[k]) if k in row else "" for k in keys]


def compare(prefix, analysis):
    option, keys = ANALYSES[analysis]
    should = expected(prefix, analysis)
    if should is None:
        return
    is_ = printed(prefix, option)
    columns = [c for c in (should[0] if should else []) if is_ and c in is_[0]]
    if should and is_ and len(columns) <= len(keys or []):
        failures.append(f"{prefix}: {analysis}: no value of HTA is compared")
    def order(row):
        return [str(k) for k in key_of(row, keys or columns)]
    should.sort(key=order)
    is_.sort(key=order)
    pairs = list(zip(is_, should))
    if keys:
        by_key = {tuple(order(r)): r for r in is_}
        pairs = [(by_key.get(tuple(order(r)), {}), r) for r in should]
    differing = [(a, b) for a, b in pairs if not a or not all(same(a[c], b[c]) for c in columns)]
    why = DIFFERENT.get((prefix, analysis))
    if len(is_) != len(should):
        differing.append((f"{len(is_)} rows", f"{len(should)} rows"))
    table.append((prefix, analysis, len(should), len(differing), why or ""))
    if bool(differing) != bool(why):
        failures.append(f"{prefix}: {analysis}: {len(differing)} of {len(should)} rows differ{': ' + why if why else ''}")
        failures.extend(f"    is        {a}\n    should be {b}" for a, b in differing[:int(os.environ.get('SHOW', 2))])


def check_counters(prefix, trace):
    """The trace with counters: of each the time and value, as HTA adds them."""
    with open(f"{CORPUS}/real/hta/{prefix}.expected-hta-counter-events.json", encoding="utf-8") as file:
        should = [(e["name"] + (f"[{e['id']}]" if "id" in e else ""), e["ts"], *e["args"].values()) for e in json.load(file)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "with.json")
        subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--counters", "-o", path, trace], check=True)
        with open(path, encoding="utf-8") as file:
            is_ = [(e["name"], float(e["ts"]), *e["args"].values()) for e in json.load(file)["traceEvents"]
                   if e.get("ph") == "C" and not e["name"].endswith(" memory")]
    should.sort(key=lambda e: (e[0], round(e[1], 2), -e[2] if e[0].startswith("Q") else 0))
    is_.sort(key=lambda e: (e[0], round(e[1], 2), -e[2] if e[0].startswith("Q") else 0))
    differing = [(a, b) for a, b in zip(is_, should)
                 if a[0] != b[0] or abs(a[1] - b[1]) > 2e-3 or not math.isclose(a[2], b[2], rel_tol=1e-6, abs_tol=1e-6)]
    table.append((prefix, "counter events", len(should), len(differing) + abs(len(is_) - len(should)), ""))
    if differing or len(is_) != len(should):
        failures.append(f"{prefix}: counter events: {len(is_)}, should be {len(should)}; {differing[:2]}")


def check_sequences(prefix, operator):
    """HTA's frequent sequences of at least two kernels, of traces without steps."""
    trace = TRACES[prefix][0]
    printed_rows = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--view", "sequences", "--operator", f"aten::{operator}",
                                   "--format", "csv", trace if trace.startswith("/") else f"{DATA}/{trace}"],
                                  stdout=subprocess.PIPE, check=True, text=True).stdout
    is_ = sorted([f"{r['operator']}|{'|'.join(json.loads(r['kernels']))}", int(r["count"]), int(r["device"]), int(r["host"])]
                 for r in csv.DictReader(io.StringIO(printed_rows)) if int(r["length"]) > 1)
    should = sorted([r["pattern"], int(r["count"]), round(float(r["GPU kernel duration (us)"]) * 1000),
                     round(float(r["CPU op duration (us)"]) * 1000)]
                    for r in expected(prefix, f"frequent_kernel_sequences-{operator}"))
    table.append((prefix, f"sequences of {operator}", len(should), len(is_) - len(should), ""))
    if is_ != should:
        failures.append(f"{prefix}: sequences of {operator}: {is_[:3]}, should be {should[:3]}")


def check_critical_path():
    """Of HTA's path all parts on the host are on this one, with the same time. It differs in two things: HTA gives no time
    to what is between operators, so that its parts are less than the annotation's time; and it ends with kernels that take
    longest of all, although nothing waits for them: they end before cudaDeviceSynchronize begins, where this path is on
    the host. Calls of 0 us are no events for HTA, but cut an operator in two parts here: these are joined."""
    trace = f"{DATA}/{TRACES['cp_simple_add'][0]}"
    annotation = "[param|pytorch.model.alex_net|0|0|0|measure|forward]"
    is_ = json.loads(subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--critical-path", "--annotation", f"{annotation}@1",
                                     "--format", "json", trace], stdout=subprocess.PIPE, check=True, text=True).stdout)
    rows = expected("cp_simple_add", "critical_path_breakdown")
    joined = []
    for p in is_["path"]:
        if joined and joined[-1][0] == p["name"]:
            joined[-1][1] += p["end"] - p["start"]
        else:
            joined.append([p["name"], p["end"] - p["start"]])
    missing = [[r["s_name"], float(r["duration"])] for r in rows if r["bound_by"] == "cpu_bound" and float(r["duration"])]
    host = len(missing)
    for name, time in joined:
        if [name, time / 1000] in missing:
            missing.remove([name, time / 1000])
    if missing or host < 250:
        failures.append(f"cp_simple_add: {host} parts on the host, not on the path: {missing}")
    relu = [["aten::relu_", 15000], ["aten::clamp_min_", 14000], ["cudaLaunchKernel", 17000], ["aten::clamp_min_", 15000],
            ["aten::relu_", 32000]]  # tests/test_critical_path_analysis.py
    if not any(joined[i:i + 5] == relu for i in range(len(joined))):
        failures.append("cp_simple_add: HTA's weights around relu_ are not on the path")
    times = [sum(p["end"] - p["start"] for p in is_["path"]), is_["range"]["end"] - is_["range"]["start"],
             round(1000 * sum(float(r["duration"]) for r in rows))]
    if times != [243351000, 243351000, 241724000]:
        failures.append(f"cp_simple_add: time of the path, of the annotation, of HTA's path: {times}")
    with gzip.open(trace) as file:
        events = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X"]
    begin = max(e["ts"] for e in events if e["name"] == annotation)
    waits = max(e["ts"] for e in events if e["name"] == "cudaDeviceSynchronize")
    ends = [e["ts"] + e["dur"] for e in events if e.get("cat") == "kernel" and e["ts"] >= begin]
    if not begin < max(ends) < waits:
        failures.append(f"cp_simple_add: kernels end at {max(ends)}, the host waits from {waits} on")
    table.append(("cp_simple_add", "critical path: host", host, len(missing), ""))


def check_sizes(trace):
    """Grid, block, registers and shared memory with which most calls of a kernel were launched, counted here again."""
    with (gzip.open if trace.endswith(".gz") else open)(trace, "rt", encoding="utf-8") as file:
        events = [e for e in json.load(file)["traceEvents"] if e.get("cat") == "kernel"]
    sizes = {}
    for e in events:
        size = tuple("x".join(map(str, e["args"][k])) for k in ("grid", "block"))
        size += (str(e["args"]["registers per thread"]), str(e["args"]["shared memory"]))
        sizes.setdefault(e["name"], collections.Counter())[size] += 1
    rows = [r for r in csv.DictReader(io.StringIO(subprocess.run(
        [os.environ["PROFKIT"], "gpu", "-q", "--view", "kernels", "--limit", "0", "--format", "csv", trace],
        stdout=subprocess.PIPE, check=True, text=True).stdout)) if r["kind"] != "copy"]
    differing = 0
    for row in rows:
        counts = sizes.get(row["name"], {})
        size = tuple(row[k] for k in ("grid", "block", "registers", "shared_memory"))
        differing += not (row["sizes"] == str(len(counts)) and counts.get(size) == max(counts.values(), default=0))
    table.append((os.path.basename(trace)[:22], "sizes of kernels", len(sizes), differing, ""))
    if differing or len(rows) != len(sizes):
        failures.append(f"{trace}: sizes of kernels: {differing} of {len(rows)} differ, {len(sizes)} wanted")


def run(*arguments):
    return subprocess.run([os.environ["PROFKIT"], "gpu", "-q", *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


def check_steps(prefix):
    with open(f"{CORPUS}/real/hta/{prefix}.expected-hta-log.json", encoding="utf-8") as file:
        should = [int(s) for s in json.load(file)["profiler_steps"]]
    trace = TRACES[prefix][0]
    rows = csv.DictReader(io.StringIO(run("--view", "steps", "--limit", "0", "--format", "csv",
                                          trace if trace.startswith("/") else f"{DATA}/{trace}")))
    is_ = sorted({int(r["step"]) for r in rows if r["step"]})
    is_ = is_[:-1] if len(is_) > 1 else is_
    table.append((prefix, "profiler steps", len(should), int(is_ != should), ""))
    if is_ != should:
        failures.append(f"{prefix}: steps {is_}, should be {should}")


def check_ops_diff():
    with open(f"{CORPUS}/real/hta/diff_control_test.expected-hta-ops_diff.json", encoding="utf-8") as file:
        should = {k: sorted(v) for k, v in json.load(file).items()}
    is_ = {k: [] for k in should}
    for row in printed("diff_control_test", "hta-diff"):
        control, test = float(row["Control_counts"]), float(row["Test_counts"])
        is_["added" if not control else "deleted" if not test else "increased" if test > control else
            "decreased" if test < control else "unchanged"].append(row["name"])
    is_ = {k: sorted(v) for k, v in is_.items()}
    table.append(("diff_control_test", "ops_diff", sum(map(len, should.values())), int(is_ != should), ""))
    if is_ != should:
        failures.append(f"ops_diff: {({k: len(v) for k, v in is_.items()})}, should be {({k: len(v) for k, v in should.items()})}")


def check_cupti():
    """Counters of the trace in its order, and how many kernels HTA gives to which operators, outermost and innermost."""
    trace = f"{DATA}/cupti_profiler/benchmark_result_924719_1679055439_trace.json.gz"
    with gzip.open(trace) as file:
        ranges = [e for e in json.load(file)["traceEvents"] if e.get("cat") == "cuda_profiler_range"]
    ranges.sort(key=lambda e: e["ts"])
    should = [(i, e["name"], k, float(v)) for i, e in enumerate(ranges) for k, v in e["args"].items()]
    rows = list(csv.DictReader(io.StringIO(run("--like", "hta-cupti", trace))))
    is_ = [(int(r["kernel"]), r["name"], r["counter"], float(r["value"])) for r in rows]
    operators = collections.Counter((r["top_level_op"], r["bottom_level_op"]) for r in rows[::9])
    of_hta = {("aten::conv2d", "aten::cudnn_convolution"): 28, ("aten::relu_", "aten::clamp_min_"): 14,
              ("aten::linear", "aten::addmm"): 12, ("aten::conv2d", "aten::add_"): 10,
              ("aten::max_pool2d", "aten::max_pool2d_with_indices"): 6, ("aten::dropout", "aten::native_dropout"): 4,
              ("aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d"): 2, ("aten::rand", "aten::uniform_"): 1}
    table.append(("cupti_profiler", "cupti counters", len(should), sum(a != b for a, b in zip(is_, should)), ""))
    if is_ != should or operators != of_hta or len(ranges) != 77:
        failures.append(f"cupti counters: {len(is_)} of {len(should)}; {operators}")


def check_mtia():
    """An accelerator of Meta; the numbers are those that HTA 0.5.0 prints of this trace (its own test asserts launch 423)."""
    TRACES["mtia"] = ["mtia_trace_single_rank/mtia_rank_0.json.gz"]
    should = {
        "hta": "0,5649476,7305597,372998,13328071,42.39,54.81,2.8",
        "hta-idle": "0,102,host_wait,445,0 0,102,kernel_wait,-9,-0 0,102,other,2540592,1 "
                    "0,1,host_wait,417937,0.07 0,1,kernel_wait,-10478,-0 0,1,other,5200945,0.93",
        "hta-kernel-types": "COMPUTATION,7305597,95.1 MEMORY,372998,4.9",
        "hta-queue": "0,1,6900,0.5,0.5000362358227819,0,0,0.5,1,1 0,102,6,0.5,0.5477225575051661,0,0,0.5,1,1",
    }
    for option, rows in should.items():
        is_ = " ".join(",".join(row.values()) for row in printed("mtia", option))
        table.append(("mtia", option, rows.count(" ") + 1, is_ != rows, ""))
        if is_ != rows:
            failures.append(f"mtia, {option}: {is_}")
    launch = [row for row in printed("mtia", "hta-launches") if row["correlation"] == "423"]
    table.append(("mtia", "hta-launches", 1, [*launch[0].values()][2:] != ["434", "124", "0"], "of one kernel"))
    if table[-1][3]:
        failures.append(f"mtia, launch 423: {launch}")


def main():
    if not os.path.isdir(f"{CORPUS}/real/hta"):
        print("no corpus (PROFKIT_CORPUS)")
        return 77
    for prefix in TRACES:
        for analysis in ANALYSES:
            compare(prefix, analysis)
    check_counters("gpu_calc-noround", f"{CORPUS}/real/torch/gpu_calc.json")
    for prefix in ("gpu_calc-noround", "cp_simple_add"):
        for operator in ("linear", "addmm"):  # in those of conv2d, HTA counts waits for events as kernels
            check_sequences(prefix, operator)
    check_sizes(f"{CORPUS}/real/torch/gpu_calc.json")
    check_sizes(f"{DATA}/{TRACES['ns_resolution'][0]}")
    for prefix in ("timeline_rank0", "ns_resolution", "triton", "amd"):
        check_steps(prefix)
    check_ops_diff()
    check_cupti()
    check_critical_path()
    check_mtia()
    for row in table:
        print("%-22s %-30s %5d rows, %d differ  %s" % row)
    print("\n".join(failures))
    return bool(failures) or len(table) < 100


sys.exit(main())
