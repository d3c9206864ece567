#!/usr/bin/env python3
"""Sheets of TraceLens (corpus/peers/TraceLens): profkit gpu --like tracelens, -kernels and -ops print the same numbers.

Sheets that are compared: SHEETS in all rows and columns, but for what TRACES explains (of these, the columns ex_UID,
kernel_details_summary, trunc_kernel_details and process_label are not made: numbers of events in TraceLens' tree; Python objects
as text, which kernel_summary has as rows; a constant); FLOPS by operations of a call and time of its kernels; gpu_timeline of JAX.
Of all others in the corpus, NOT_COMPARED says why. is_recompute (resnet_act_checkpoint) is not made: two blocks of each sheet, for
which functions of Python must be in the tree. micro_idle_thresh_us and roofline are options that none of the corpus' csv were made
with; --view idle has the gaps, --peak-flops the share of the peak.
"""
import csv
import fnmatch
import io
import json
import math
import os
import subprocess
import sys

import corpus

CORPUS = os.path.abspath(corpus.corpus())
DATA = f"{CORPUS}/peers/TraceLens"
SHEETS = {"gpu_timeline": "tracelens", "kernel_summary": "tracelens-kernels", "ops_summary": "tracelens-ops",
          "ops_summary_by_category": "tracelens-categories", "ops_unique_args": "tracelens-unique-args",
          "short_kernels_summary": "tracelens-short-kernels", "short_kernel_histogram": "tracelens-short-histogram", "coll_analysis": "tracelens-collectives"}
KEYS = {"gpu_timeline": ["type"], "kernel_summary": ["Parent op category", "Parent cpu_op", "Kernel name", "Kernel stream"], "ops_summary": ["name"],
        "ops_summary_by_category": ["op category"],
        "ops_unique_args": ["name", "op category", "process_name", "thread_name", "Input Dims", "Input type", "Input Strides",
                            "Concrete Inputs"],
        "short_kernels_summary": ["Parent cpu_op", "Input dims", "Input strides", "Concrete Inputs", "Kernel name"],
        "short_kernel_histogram": ["bin_start"],
        "coll_analysis": ["Process Group Name", "Process Group Ranks", "Collective name", "dtype", "In split size",
                          "Out split size", "In msg nelems"]}
NOT_MADE = {"ex_UID", "kernel_details_summary", "trunc_kernel_details", "process_label"}
FLOPS = ["GEMM", "SDPA_fwd", "CONV_fwd", "CONV_bwd"]
NO_BYTES = "no operations that matter, a question of bytes, which are not computed"
NO_TRACE = "no traces for its csv in the corpus"
SUMS = "sums of the rows of gpu_timeline and kernel_summary"
NOT_COMPARED = {  # sheet, with the patterns of fnmatch: why
    "unified_perf_summary": "its rows of FLOPS are the same numbers; bytes are not computed, and elementwise operators have no formula",
    "*Elementwise": NO_BYTES, "Reduce_*": NO_BYTES, "Normalization*": NO_BYTES, "RMSNorm_fwd": NO_BYTES, "RoPE_fwd": NO_BYTES,
    "MoE_unfused_fwd": NO_BYTES, "InferenceAttention_fwd": "an operator of vllm or sglang, whose kernels need the merge of graphs (MERGED)",
    "nccl_summary_*": NO_TRACE + "; --view communication has these figures",
    "all_gather_*": "a table and a calculation of TraceLens' own test, of no trace",
    "diff_stats*": NO_TRACE, "*_mi300": "comparison of two reports, whose sheets are compared; `diff` has its own",
    "kernel_launchers*": SUMS, "gpu_events_averages": SUMS, "xla_summary": SUMS, "df_xla_perf": SUMS,
    "op_conv": "JAX: operands of convolutions are text of XLA, from which operations are not computed",
}
MERGED = "TraceLens gives the kernels of graphs the operators of another recording"
ALL_MERGED = {sheet: MERGED for sheet in SHEETS if sheet.startswith("ops_")}
MODULES = "one row for each operator and module: compare_modules adds them up"
TRACES = {  # trace: folder of the sheets, why sheets differ
    **{f"{m}/{n}.json.gz": (f"{m}/{n}_perf_report_csvs", {})
       for m, n in [("h100", "Falconsai_nsfw_image_detection__1016002"), ("h100", "Qwen_Qwen1.5-0.5B-Chat__1016005"),
                    ("h100", "gaunernst_bert-small-uncased__1016001"), ("h100", "google_owlv2-large-patch14-ensemble__1016001"),
                    ("mi300", "Falconsai_nsfw_image_detection__1016002"), ("mi300", "Qwen_Qwen1.5-0.5B-Chat__1016005"),
                    ("mi300", "facebook_timesformer-base-finetuned-k400__1016002")]},
    "torch_compile_triton/trace.json.gz": ("torch_compile_triton/trace_perf_report_csvs", {}),
    "inference/sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode.json.gz":
        ("inference/sglang_prefilldecode/perf_csvs", ALL_MERGED),
    "inference/vllm_decode_full/graph_execution.json.gz": ("inference/vllm_decode_full/perf_csvs", ALL_MERGED),
    "inference/vllm_prefilldecode_piecewise/graph_execution.json.gz":
        ("inference/vllm_prefilldecode_piecewise/perf_csvs", ALL_MERGED),
    "inference/xdit_sd_3.5/profile_trace_rank_0.json.gz":
        ("inference/xdit_sd_3.5/perf_csvs", {**{sheet: MODULES for sheet in SHEETS if sheet.startswith("ops_")},
                                             "gpu_timeline": "a memset without an arrow, which TraceLens does not link"}),
    "mi300/resnet_act_checkpoint.json.gz": ("mi300/resnet_act_checkpoint_recompute_perf_report_csvs",
                                            {sheet: "two blocks, by is_recompute" for sheet in ("gpu_timeline",) +
                                             tuple(sheet for sheet in SHEETS if sheet.startswith("ops_"))}),
}
failures = []


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def key_of(row, sheet):
    return tuple(str(float(row[k])) if k == "Kernel stream" else f"{float(row[k]):.9g}" if k in ("bin_start", "In msg nelems") else row[k]
                 for k in KEYS[sheet])


def same(a, b):
    if not a or not b or str(a).startswith("["):
        return a == b
    return math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-6)


def compare(trace, folder, sheet, why):
    path = f"{DATA}/{folder}/{sheet}.csv"
    if not os.path.exists(path):
        return 0
    with open(path, encoding="utf-8") as file:
        should = rows_of(file.read())
    printed = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--like", SHEETS[sheet], f"{DATA}/{trace}"],
                             stdout=subprocess.PIPE, check=True, text=True).stdout
    rows = rows_of(printed)
    is_ = {key_of(r, sheet): r for r in rows}
    # The cumulative share depends on the order of rows that took equally long.
    columns = [c for c in should[0] if c not in KEYS[sheet] and not c.startswith("Cumulative") and
               c not in NOT_MADE] if should else []
    if should and rows and not why and not set(columns) <= set(rows[0]):
        failures.append(f"{trace}: {sheet}: {set(columns) - set(rows[0])} is missing")
    differing = [r for r in should if key_of(r, sheet) not in is_ or
                 not all(same(is_[key_of(r, sheet)][c], r[c]) for c in columns if c in is_[key_of(r, sheet)])]
    differing += [{}] * abs(len(is_) - len(should))
    print(f"{trace:75} {sheet:15} {len(should):4} rows, {len(differing)} differ  {why or ''}")
    if bool(differing) != bool(why):
        failures.append(f"{trace}: {sheet}: {len(differing)} of {len(should)} rows differ")
        failures.extend(f"    is        {is_.get(key_of(r, sheet)) if r else ''}\n    should be {r}" for r in differing[:2])
    return 1


def compare_modules():
    """Rows of operators and modules, added up over the modules: count and time are those of our rows, but of aten::nonzero
    (category other), whose memset has no arrow.
    """
    folder = "inference/xdit_sd_3.5"
    for sheet, count, time in [("ops_summary", "Count", "total_direct_kernel_time_ms"),
                               ("ops_summary_by_category", "Count", "total_direct_kernel_time_ms"),
                               ("ops_unique_args", "operation_count", "total_direct_kernel_time_sum")]:
        printed = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--like", SHEETS[sheet],
                                  f"{DATA}/{folder}/profile_trace_rank_0.json.gz"], stdout=subprocess.PIPE, check=True, text=True)
        with open(f"{DATA}/{folder}/perf_csvs/{sheet}.csv", encoding="utf-8") as file:
            sides = [rows_of(printed.stdout), rows_of(file.read())]
        sums = [{}, {}]
        for side, rows in zip(sums, sides):
            for r in rows:
                row = side.setdefault(key_of(r, sheet), [0, 0.0])
                row[0] += int(r[count])
                row[1] += float(r[time])
        differing = [k for k in set(sums[0]) | set(sums[1]) if sums[0].get(k, [0])[0] != sums[1].get(k, [0])[0] or
                     not math.isclose(sums[0][k][1], sums[1][k][1], rel_tol=1e-6)]
        print(f"{folder:75} {sheet:15} {len(sums[1]):4} rows without modules, {len(differing)} differ")
        if [k[0] for k in differing] not in (["aten::nonzero"], ["other"]):
            failures.append(f"{folder}: {sheet}: {[(k, sums[0].get(k), sums[1].get(k)) for k in differing[:4]]}")


def dims_of(text):
    return text.replace("(", "[").replace(")", "]").replace(",]", "]")


def compare_flops():
    """Operations of GEMM, SDPA_fwd, CONV_fwd and CONV_bwd, and the time of their kernels.

    TraceLens leaves out the additions of a bias that a convolution has, because it looks for it among the numbers, and counts
    the gradient of the first layer's input, which the output mask says is not computed.
    """
    rows = 0
    for trace, (folder, why) in TRACES.items():
        if why.get("ops_summary") == MERGED and "vllm" in trace:
            continue
        printed = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--view", "flops", "--whole", "--format", "csv",
                                  f"{DATA}/{trace}"], stdout=subprocess.PIPE, check=True, text=True).stdout
        is_ = {r["name"]: r for r in rows_of(printed)}
        for sheet in FLOPS:
            path = f"{DATA}/{folder}/{sheet}.csv"
            should, masked = {}, {}
            for r in rows_of(open(path, encoding="utf-8").read()) if os.path.exists(path) else []:
                if not r["name"].startswith("aten::"):
                    continue
                row = should.setdefault(f'{r["name"]} {dims_of(r["Input Dims_first"])}', [float(r["GFLOPS_first"]), 0.0])
                masked[f'{r["name"]} {dims_of(r["Input Dims_first"])}'] = "[False, True, False]" in r["Concrete Inputs_first"]
                row[1] += float(r["Kernel Time (µs)_sum"])
            for name, (gflops, us) in should.items():
                rows += 1
                row = is_.get(name)
                dims = json.loads(name.partition(" ")[2])
                ours = float(row["gflops"] or 0) if row else 0
                if sheet == "CONV_fwd" and dims[2]:
                    factor = 2 * math.prod(dims[1][1:])
                    ours *= factor / (factor + 1)
                if sheet == "CONV_bwd" and masked[name]:
                    ours *= 2
                if "resnet" in trace:  # TraceLens divides the kernels of recomputation
                    us = int(row["time"]) / 1e3 if row else 0
                # their times are floats of 24 bits
                if not row or not math.isclose(ours, gflops, rel_tol=1e-5) or \
                        not math.isclose(int(row["time"]) / 1e3, us, rel_tol=1e-3):
                    failures.append(f"{trace}: {sheet}: {name}: {row}, should be {gflops} GFLOP, {us} us")
    print(f"operations of {rows} operators and shapes")
    if rows < 80:
        failures.append(f"operations of {rows} rows")


def compare_jax():
    """JAX: one block for each GPU; these have work."""
    folder = f"{DATA}/mi300"
    with open(f"{folder}/jax_conv_minimal_perf_report_csvs/gpu_timeline.csv", encoding="utf-8") as file:
        should = {(f"/device:GPU:{int(r['gpu_pid']) - 1}", r["type"]): float(r["time ms"]) for r in rows_of(file.read())}
    printed = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--whole", "--view", "breakdown", "--format", "csv",
                              f"{folder}/jax_conv_minimal_legacy/node.expected-xprof-trace_viewer.json.gz"],
                             stdout=subprocess.PIPE, check=True, text=True).stdout
    names = {"computation_time": "computation", "exposed_memcpy_time": "exposed_copies", "busy_time": "busy", "total_time": "time"}
    rows = rows_of(printed)
    if not rows:
        failures.append("JAX: no GPU")
    for row in rows:
        for theirs, ours in names.items():
            if not same(should[row["gpu"], theirs], int(row[ours]) / 1e6):
                failures.append(f"JAX: {row['gpu']}: {theirs}: {row[ours]} ns, should be {should[row['gpu'], theirs]} ms")


def check_table():
    """Each sheet in the corpus is compared, or the table says why not; no row of the table is without a sheet."""
    sheets = {name[:-4] for _, _, names in os.walk(DATA) for name in names if name.endswith(".csv")}
    others = sheets - set(SHEETS) - set(FLOPS)
    failures.extend(f"{sheet}: neither compared nor said why not" for sheet in sorted(others)
                    if not any(fnmatch.fnmatchcase(sheet, pattern) for pattern in NOT_COMPARED))
    failures.extend(f"{pattern}: no such sheet" for pattern in NOT_COMPARED if not fnmatch.filter(others, pattern))
    failures.extend(f"{sheet}: compared, but not in the corpus" for sheet in sorted((set(SHEETS) | set(FLOPS)) - sheets))


def main():
    if not os.path.isdir(DATA):
        print("no corpus (PROFKIT_CORPUS)")
        return 77
    sheets = sum(compare(trace, folder, sheet, why.get(sheet)) for trace, (folder, why) in TRACES.items() for sheet in SHEETS)
    if sheets < 70:
        failures.append(f"only {sheets} sheets compared")
    check_table()
    compare_modules()
    compare_flops()
    compare_jax()
    print("\n".join(failures))
    return bool(failures)


sys.exit(main())
