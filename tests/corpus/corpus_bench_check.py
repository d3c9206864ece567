#!/usr/bin/env python3
"""How often `profkit check` fails, by its default rules, for values of real benchmarks of which nothing changed: what
pytest-benchmark measured on a busy machine (corpus), 30 values for each side, in turn by tens, as sides are measured in one job, and
one side after the other. There, the machine itself changed in two of 47 cases (one benchmark from 81 to 129 ns), which 30
values of a side cannot show. 5 % has to be found in 80 of 100 where the values are quiet: the middle half of those of both sides
lies within 2 %. How often it is found elsewhere is printed; bench/bench_power.py asks whether any test could do better."""
import csv
import glob
import io
import json
import math
import os
import subprocess
import sys
import tempfile

CORPUS = os.environ.get("PROFKIT_CORPUS", os.path.join(os.environ.get("srcdir", "."), "../shared/corpus"))
PROFKIT = os.environ.get("PROFKIT", "./profkit")
SIDE = 30
QUIET = 0.02


def files():
    for path in sorted(glob.glob(CORPUS + "/real/pytest-benchmark/**/*.json", recursive=True) +
                       glob.glob(CORPUS + "/generated/pytest-benchmark/*.json")):
        with open(path) as file:
            result = json.load(file)
        if any(len(b["stats"].get("data", [])) >= 2 * SIDE for b in result["benchmarks"]):
            yield result


def write(path, result, begin, part, block, factor):
    """The values of each benchmark from begin on, in blocks that belong to each side in turn. Returns whether each is quiet."""
    benchmarks = []
    quiet = {}
    for b in result["benchmarks"]:
        values = b["stats"].get("data", [])[begin:begin + 2 * SIDE]
        order = sorted(values)
        values = [v * factor for i, v in enumerate(values) if i // block % 2 == part]
        if len(order) == 2 * SIDE:
            benchmarks.append({**b, "stats": {"data": values, "iterations": 1, "rounds": SIDE}})
            quiet[b["name"]] = math.log(order[3 * SIDE // 2] / order[SIDE // 2]) < QUIET
    with open(path, "w") as file:
        json.dump({**result, "benchmarks": benchmarks}, file)
    return quiet


def check(folder, result, begin, block, factor):
    """Whether each benchmark fails, and whether it is quiet; None if there are no values there."""
    sides = [os.path.join(folder, name) for name in ("before.json", "after.json")]
    write(sides[0], result, begin, 0, block, 1)
    quiet = write(sides[1], result, begin, 1, block, factor)
    if not quiet:
        return None
    done = subprocess.run([PROFKIT, "check", "-q", "-b", *sides, "--format", "csv"], stdout=subprocess.PIPE,
                          universal_newlines=True)
    assert done.returncode in (0, 1), done
    failed = {row["subject"] for row in csv.DictReader(io.StringIO(done.stdout)) if row["verdict"] == "fail"}
    return [(name in failed, quiet[name]) for name in quiet]


def study(folder, block, what, most):
    """Whether more than the share `most` of the checks of equal values fail, or slower ones that are quiet are not found."""
    checks = alarms = 0
    slower = []
    for result in files():
        for begin in range(0, 360, 2 * SIDE):
            same = check(folder, result, begin, block, 1)
            if not same:
                break
            checks += 1
            alarms += any(failed for failed, _ in same)
            slower += check(folder, result, begin, block, 1.05)
    quiet = [failed for failed, is_quiet in slower if is_quiet]
    found = sum(failed for failed, _ in slower)
    print(f"{what}: {alarms} of {checks} checks of equal values fail; of benchmarks that are 5 % slower {found} of {len(slower)} do, "
          f"of those that are quiet {sum(quiet)} of {len(quiet)}")
    return not checks or alarms > most * checks or sum(quiet) < 0.8 * len(quiet)


def main():
    if not os.path.isdir(CORPUS + "/real/pytest-benchmark"):
        print("skipped: no corpus")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        failed = study(folder, 10, "in turn", 0.02) | study(folder, SIDE, "one side after the other", 0.05)
    return failed


if __name__ == "__main__":
    sys.exit(main())
