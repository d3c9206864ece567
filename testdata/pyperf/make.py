#!/usr/bin/env python3
"""make.py PYTHON: writes the fixtures; PYTHON has pyperf 2.10.0. See SOURCE."""
import copy
import gzip
import json
import os
import subprocess
import sys

FORGET = {"python_executable", "python_config_args", "python_cflags", "uptime"}


def metadata(data):
    yield data.get("metadata", {})
    for bench in data["benchmarks"]:
        yield bench.get("metadata", {})
        yield from (run.get("metadata", {}) for run in bench["runs"])


def record(name, *args):
    """What pyperf records, without what tells of the machine that made it."""
    path = "recorded.json"
    subprocess.run([sys.argv[1], *args, "--min-time", "0.001", "-o", path], check=True)
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    os.remove(path)
    for facts in metadata(data):
        for key in FORGET & set(facts):
            del facts[key]
        facts.update({"hostname": "host"} if "hostname" in facts else {})
    if name:
        write(name, data)
    return data


def write(name, data, **how):
    text = json.dumps(data, sort_keys=True, **how) + "\n"
    with gzip.open(name, "wt", encoding="utf-8") if name.endswith(".gz") else open(name, "w", encoding="utf-8") as f:
        f.write(text)


def older(suite, version):
    """As pyperf 0.9.6 (6) and 0.8.3 (5) wrote it: warm-ups of all loops; in 5 no metadata of the file."""
    data = {"version": version, "benchmarks": copy.deepcopy(suite["benchmarks"])}
    if version == 6:
        data["metadata"] = suite["metadata"]
    for bench in data["benchmarks"]:
        facts = bench["metadata"] if version == 6 else {**suite["metadata"], **bench.pop("metadata")}
        if version == 5:
            bench["common_metadata"] = facts
        for run in bench["runs"]:
            run["warmups"] = [[loops, time * loops * facts.get("inner_loops", 1)] for loops, time in run["warmups"]]
            if version == 5:
                run["samples"] = run.pop("values", [])
    write(f"version-{version}.json", data)


ODD = {
    "version": "1.0", "metadata": {"unit": "second", "nothing": None, "loops": 4, "cpu_freq": "0=1600 MHz, 1=2400 MHz",
                                   "cpu_config": "0-1=driver:intel_pstate, intel_pstate:no turbo, governor:powersave",
                                   "platform": "macOS-14.1-arm64-arm-64bit"},
    "benchmarks": [
        {"runs": [{"values": [0.5, 0, -1, float("nan"), "1", 0.25, 1e999], "metadata": {"loops": 8}},
                  {"values": []}, {"values": [1], "warmups": [[0, 1], [1], [2, -1], [2, 3, 4], 5]}],
         "metadata": {"name": "after its runs"}},
        {"metadata": {"name": "whole numbers", "unit": "integer", "inner_loops": 10}, "runs": [{"values": [3, 4]}]},
        {"metadata": {"name": "after its runs"}, "runs": [{"values": [2]}]},
        {"runs": [{"values": [0.125]}]},
        {"metadata": {"name": "no values"}, "runs": [{"values": [0]}]},
        {"metadata": {"name": "calibrated"}, "runs": [{"warmups": [[1, 0.5]], "metadata": {"calibrate_loops": 1}}]},
    ]}


def main():
    suite = record("suite.json", "program.py")
    after = copy.deepcopy(suite)
    for i, bench in enumerate(after["benchmarks"]):
        for run in bench["runs"]:
            if "values" in run:
                run["values"] = [value * (1 + i / 2) for value in run["values"]]
    write("suite-after.json", after)
    older(suite, 6)
    older(suite, 5)
    record("timeit.json", "-m", "pyperf", "timeit", "-p", "4", "-n", "2", "--name", "sort", "sorted(range(100))")
    record("bytes.json.gz", "-m", "pyperf", "timeit", "-p", "3", "-n", "2", "--track-memory", "[0] * 100000")
    write("odd.json", ODD, indent=1)
    os.makedirs("bad", exist_ok=True)
    write("bad/version-4.json", {**suite, "version": 4})
    write("bad/no-values.json", {**ODD, "benchmarks": ODD["benchmarks"][4:5]})


main()
