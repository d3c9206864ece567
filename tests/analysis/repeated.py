#!/usr/bin/env python3
"""profkit check and diff on runs of a real program, recorded again and again (testdata/check): runs
of the same program rarely differ; a function that was made a fifth slower is found and named, with
its file and line; and no other function of Python is."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("srcdir", "."), "bench"))
sys.dont_write_bytecode = True
from equal_runs import check, compare  # noqa: E402

PROFKIT = os.environ["PROFKIT"]
DATA = os.path.join(os.environ["TESTDATA"], "check")
SPLITS, MOST_ALARMS, LEAST_FOUND = 100, 2, 9
# Of 100 lists of diff 5 may have a false alarm, lists of totals 3 more because of the whole, which
# is tested alone; chance adds some (2 standard deviations).
MOST_IN_LISTS = {"self": 9, "total": 13}
ROUNDS = 5
SLOWED = ["count_letters", "checksum", "indentation", "stem", "index", "trigrams", "entropy",
          "run_lengths", "hash_words", "distances"]


def take_apart(name, work):
    """The runs of a file, each in a file of its own."""
    runs = []
    for i in range(sum(1 for _ in info(name))):
        runs.append(os.path.join(work, f"{name}.{i}.baseline"))
        subprocess.run([PROFKIT, "convert", "-q", f"{DATA}/runs/{name}@{i + 1}", runs[-1]], check=True)
    return runs


def info(name):
    out = subprocess.run([PROFKIT, "info", f"{DATA}/runs/{name}"], check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    return [line for line in out.splitlines() if line.startswith("file ")]


def count_alarms(name, runs):
    alarms, rows = compare(PROFKIT, name, runs, SPLITS)
    for row in rows:
        print(f"{name}: {row['text']}")
    print(f"{name}: {alarms} of {SPLITS} comparisons of equal programs fail")
    return alarms


def count_in_lists(name, runs, measure):
    alarms, _ = compare(PROFKIT, name, runs, SPLITS, 5, measure)
    print(f"{name}: {alarms} of {SPLITS} lists of diff --measure {measure} have a false alarm")
    return alarms <= MOST_IN_LISTS[measure]


def line_of(function):
    with open(os.path.join(DATA, "workload.py"), encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if line.startswith(f"def {function}("):
                return number
    return None


def find_slowdowns(base, slow):
    found = others = 0
    for i, function in enumerate(SLOWED):
        # Four of five slow runs in a round have one of the program as it is after them.
        beside = i - i // 5 - (i % 5 == 4)
        before = [base[r * 8 + beside] for r in range(ROUNDS)]
        after = [slow[r * len(SLOWED) + i] for r in range(ROUNDS)]
        # A fifth of these functions is less than 1 % of the whole.
        _, failed = check(PROFKIT, before, after, "--fail", "self>5%", "--min-change", "0.1")
        blamed = [(row["subject"], row["file"], row["line"]) for row in failed if row["file"]]
        right = (function, "workload.py", str(line_of(function)))
        found += right in blamed
        others += len(set(blamed) - {right})
        print(f"{function}: {blamed}")
    print(f"{found} of {len(SLOWED)} slowdowns found, {others} other functions blamed")
    return found, others


def main():
    with tempfile.TemporaryDirectory() as work:
        exact = take_apart("cprofile.baseline.gz", work)
        sampled = take_apart("py-spy.baseline.gz", work)
        slow = take_apart("slow.baseline.gz", work)
        good = len(exact) == 40 and len(sampled) == 40 and len(slow) == ROUNDS * len(SLOWED)
        good &= count_alarms("cprofile", exact) <= MOST_ALARMS
        good &= count_alarms("py-spy", sampled) <= MOST_ALARMS
        for measure in MOST_IN_LISTS:
            good &= count_in_lists("cprofile", exact, measure)
            good &= count_in_lists("py-spy", sampled, measure)
        found, others = find_slowdowns(exact, slow)
        good &= found >= LEAST_FOUND and others <= 1
    sys.exit(not good)


main()
