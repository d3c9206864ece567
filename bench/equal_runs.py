#!/usr/bin/env python3
"""How often `profkit check` fails where nothing changed: recordings of one program, divided into
two sides by chance, again and again.

    equal_runs.py [-n COMPARISONS] [-s RUNS-A-SIDE] [-p PROFKIT] FILE...
    equal_runs.py --diff self|total ...                     the same for `profkit diff`
    equal_runs.py ... --record RUNS SCRIPT [OPERAND...]     records with cProfile first

Printed are the comparisons that fail, by rule and by function."""
import argparse
import collections
import csv
import io
import os
import random
import subprocess
import sys
import tempfile


def check(profkit, before, after, *options):
    """The status of a check, and the rows that fail."""
    command = [profkit, "check", "-q", "--format", "csv", *options]
    for run in before:
        command += ["--baseline", run]
    done = subprocess.run(command + after, stdout=subprocess.PIPE, universal_newlines=True)
    if done.returncode not in (0, 1):
        sys.exit(f"status {done.returncode} of {command}")
    rows = csv.DictReader(io.StringIO(done.stdout))
    return done.returncode, [row for row in rows if row["verdict"] == "fail"]


def diff(profkit, before, after, measure):
    """Whether any function is said to have changed, and the rows of those."""
    done = subprocess.run([profkit, "diff", "-q", "--measure", measure, "--format", "csv", *before,
                           "--", *after], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True)
    rows = [row for row in csv.DictReader(io.StringIO(done.stdout))
            if row["verdict"] in ("regressed", "improved", "shifted", "suspect")]
    return bool(rows), [{"rule": row["verdict"], "subject": row["function"]} for row in rows]


def compare(profkit, name, runs, comparisons, side=5, measure=None):
    """The number of comparisons that fail, and all rows that do. The name seeds the choice.
    measure: of profkit diff; without it, profkit check is asked."""
    chosen = random.Random(name)
    alarms, rows = 0, []
    for _ in range(comparisons):
        split = chosen.sample(runs, 2 * side)
        before, after = split[:side], split[side:]
        status, failed = (diff(profkit, before, after, measure) if measure
                          else check(profkit, before, after))
        alarms += status
        rows += failed
    return alarms, rows


def record(folder, runs, command):
    files = [os.path.join(folder, f"{i}.prof") for i in range(runs)]
    for file in files:
        subprocess.run([sys.executable, "-m", "cProfile", "-o", file, *command],
                       stdout=subprocess.DEVNULL, check=True)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-n", type=int, default=100, help="comparisons")
    parser.add_argument("-s", type=int, default=5, help="runs a side")
    parser.add_argument("-p", default="profkit", help="the program")
    parser.add_argument("--diff", choices=("self", "total"))
    parser.add_argument("--record", type=int, metavar="RUNS")
    parser.add_argument("operand", nargs=argparse.REMAINDER)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = record(folder, o.record, o.operand) if o.record else o.operand
        alarms, rows = compare(o.p, "equal runs", runs, o.n, o.s, o.diff)
    print(f"{alarms} of {o.n} comparisons of {o.s} and {o.s} of {len(runs)} equal runs fail")
    for key in ("rule", "subject"):
        for text, count in collections.Counter(row[key] for row in rows).most_common(10):
            print(f"{count:6} {key} {text}")


if __name__ == "__main__":
    main()
