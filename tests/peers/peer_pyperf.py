#!/usr/bin/env python3
"""The texts of --like pyperf-... are those of pyperf, of the fixtures and of results with odd numbers of values and loops.

Skipped where Python has no module pyperf of version 2.10 ($PYPERF_PYTHON: the Python to ask).
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PYTHON = os.environ.get("PYPERF_PYTHON", sys.executable)
PROFKIT = os.environ.get("PROFKIT", "profkit")
FIXTURES = pathlib.Path(os.environ.get("srcdir", ".")).resolve() / "testdata/pyperf"
VIEWS = ("show", "stats", "hist", "metadata", "check", "dump")
DAMAGED = b"Traceback"  # pyperf fails to draw what not all files have


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, check=False)


def random_run(rng, scale, spread, values):
    data = {"values": [scale * max(0.01, rng.gauss(1, spread)) for _ in range(values)],
            "metadata": {"date": f"2026-11-{rng.randint(1, 28):02} 10:00:{rng.randint(0, 59):02}.5"}}
    if rng.random() < 0.7:
        data["metadata"]["duration"] = rng.uniform(0, 1) * 10 ** rng.randint(-2, 5)
    if rng.random() < 0.3:
        data["metadata"]["loops"] = rng.choice([1, 2, 30])
    if rng.random() < 0.8:
        data["warmups"] = [[2 ** i, scale * rng.uniform(0.5, 2)] for i in range(rng.randint(1, 3))]
    return data


def random_benchmark(rng, name):
    scale, spread = 10 ** rng.uniform(-9, 0), rng.choice([0, 0.001, 0.05, 0.3, 2])
    unit = rng.choice(["second", "second", "byte"])
    scale = scale * 1e7 if unit == "byte" else scale
    values = rng.choice([1, 2, 3, 5])
    runs = [random_run(rng, scale, spread, values) for _ in range(rng.choice([1, 2, 5, 20]))]
    calibration = rng.choice(["", "calibrate_loops", "recalibrate_loops", "calibrate_warmups"])
    if calibration:
        runs.insert(0, {"warmups": [[1, scale], [2, scale * 2]], "metadata": {calibration: rng.choice([2, 16384, 20000])}})
    return {"runs": runs, "metadata": {"name": name, "unit": unit, "loops": rng.choice([1, 8, 16384, 100000]),
                                       "inner_loops": rng.choice([1, 3]), "tags": ["a", "b"][:rng.randint(1, 2)]}}


def random_suite(rng, path, names):
    path.write_text(json.dumps({"version": "1.0", "benchmarks": [random_benchmark(rng, name) for name in names],
                                "metadata": {"note": "größe"}}), encoding="utf-8")
    return path


def differs(ours, theirs, files):
    expected = run(PYTHON, "-m", "pyperf", *theirs, *files)
    called = f"'{os.path.basename(PYTHON)} -m ".encode()  # pyperf names the Python that runs it
    expected.stdout = expected.stdout.replace(called, b"'python -m ")
    if DAMAGED in expected.stderr:
        return False
    got = run(PROFKIT, *ours, *files)
    if got.stdout == expected.stdout:
        return False
    print("FAIL", *ours, *files, got.stderr.decode(errors="replace"))
    for a, b in itertools.zip_longest(expected.stdout.splitlines(), got.stdout.splitlines()):
        if a != b:
            print("  pyperf: ", a, "\n  profkit:", b)
            break
    return True


# (options of profkit, of pyperf)
COMPARISONS = [(["pyperf-compare"], []), (["pyperf-compare", "-v"], ["-v"]), (["pyperf-compare", "-q"], ["-q"]),
               (["pyperf-table"], ["--table"]), (["pyperf-table", "-G", "-q"], ["--table", "-G", "-q"]),
               (["pyperf-table", "--format", "markdown"], ["--table", "--table-format", "md"]),
               (["pyperf-compare", "-G", "--min-speed", "5"], ["-G", "--min-speed", "5"])]


def changed(rng, path, target):
    """The same benchmarks with other times; of some with other numbers of values."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for bench in data["benchmarks"]:
        factor, drop = rng.choice([0.5, 1, 1.001, 1.05, 2]), rng.random() < 0.2
        for run_data in bench["runs"]:
            run_data["values"] = [value * factor for value in run_data.get("values", [])]
        if drop:
            bench["runs"] = bench["runs"][:-1] or bench["runs"]
            bench["runs"][-1]["values"].append(1.0)
    target.write_text(json.dumps(data), encoding="utf-8")
    return target


def main():
    version = run(PYTHON, "-c", "import pyperf; print(pyperf.__version__)").stdout.decode()
    if not version.startswith("2.10"):
        print(f"{PYTHON} has no pyperf 2.10 ({version.strip() or 'none'}): skipped")
        return 77
    rng = random.Random(1)
    suite, after, timeit = (FIXTURES / name for name in ("suite.json", "suite-after.json", "timeit.json"))
    with tempfile.TemporaryDirectory() as folder:
        made = [random_suite(rng, pathlib.Path(folder) / f"{i}.json", ["join", "split ä"][:1 + i % 2]) for i in range(4)]
        tried = [[view, *quiet, files] for view in VIEWS for quiet in ([], ["-q"]) if not quiet or view in ("show", "dump")
                 for files in ([suite, after], [timeit], *([path] for path in made))]
        pairs = [(suite, after), (after, suite), (made[1], changed(rng, made[1], pathlib.Path(folder) / "x.json"))]
        compared = [(ours, theirs, pair) for ours, theirs in COMPARISONS for pair in pairs]
        compared += [(ours, theirs, (suite, after, suite.with_name("version-6.json"))) for ours, theirs in COMPARISONS[:4]]
        wrong = sum(differs(["diff", "--like", *ours], ["compare_to", *theirs], files) for ours, theirs, files in compared)
        wrong += sum(differs(["hotspots", "--like", "pyperf-" + view, *quiet], [view, *quiet], files)
                     for view, *quiet, files in tried)
    print(f"{len(tried) + len(compared)} texts compared with pyperf {version.strip()}, {wrong} differ")
    return 1 if wrong else 0


sys.exit(main())
