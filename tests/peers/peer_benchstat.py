#!/usr/bin/env python3
"""diff --like benchstat equals benchstat (golang.org/x/perf/cmd/benchstat), with generated results.

PEER_ROUNDS=1000 tries more than the 60 of make check-all, PEER_SEED others."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

PROFKIT = os.path.abspath(os.environ.get("PROFKIT", "./profkit"))
BENCHSTAT = shutil.which("benchstat") or os.path.expanduser("~/go/bin/benchstat")
ROUNDS = int(os.environ.get("PEER_ROUNDS", "60"))
SEED = int(os.environ.get("PEER_SEED", "1"))
UNITS = ["ns/op", "B/op", "allocs/op", "MB/s", "words/op", "p99-ns", "ns/GC", "score", "disk-B/s", "ns/B"]
COUNTS = [1, 2, 3, 4, 5, 6, 6, 6, 7, 8, 10, 12, 19, 20, 21, 22, 25, 26, 27, 29, 30, 31, 40, 50, 51, 60]


def number(r, kind, base):
    if kind == "equal":
        return "%g" % base
    if kind == "ties":
        return "%d" % r.randint(1, 4)
    if kind == "zero":
        return r.choice(["0", "0", "1", "2.5"])
    if kind == "negative":
        return "%.4g" % r.uniform(-5, 5)
    if kind == "near":
        return "%.4g" % (base * (1 + r.gauss(0, 0.01)))
    return "%.*g" % (r.choice([3, 4, 5, 17]), base * r.lognormvariate(0, 0.4))


def make_file(r, path, plan, side):
    with open(path, "w") as f:
        for config, rows in plan:
            for key, values in config:
                f.write(f"{key}: {r.choice(values)}\n" if values else f"{key}:\n")
            for name, units in rows:
                if r.random() < 0.08:
                    continue
                count = r.choice(COUNTS) if r.random() < 0.3 else units[0][3]
                shift = r.choice([1, 1, 1.05, 2, 0.5, 100]) if side else 1
                for _ in range(count):
                    f.write(f"Benchmark{name} \t{r.randint(1, 1000000)}")
                    for unit, kind, base, _ in units:
                        f.write(f"\t{number(r, kind, base * shift)} {unit}")
                    f.write("\n")
            if r.random() < 0.3:
                f.write("Unit %s assume=exact\n" % r.choice(UNITS))


def make_plan(r):
    plan = []
    for i in range(r.choice([1, 1, 1, 2, 3])):
        config = [("goos", ["linux"]), ("pkg", [f"example.org/p{r.choice('ab')}{i}"])]
        if r.random() < 0.3:
            config.append((r.choice(["commit", "note", "cpu"]), r.choice([["x"], ["x", "y z"], []])))
        rows = []
        for k in range(r.choice([1, 2, 5, 13])):
            count = r.choice(COUNTS)
            units = [
                (u, r.choice(["equal", "ties", "zero", "negative", "near", "wide", "wide"]), 10 ** r.uniform(-14, 17) if r.random() < 0.3 else 10 ** r.uniform(0, 7), count)
                for u in r.sample(UNITS, r.randint(1, 3))
            ]
            rows.append((r.choice(["Sort/n=%d-2", "Sort/n=%d/k=b", "Join%d", "Größe/k=%d/b-8", "Hash/n=1/n=%d-2"]) % k, units))
        plan.append((config, rows))
    return plan


def make_keys(r):
    """Options for rows and columns: of benchstat, of profkit."""
    keys = [".name", ".fullname", ".file", "/n", "/k", "/gomaxprocs", "/missing", "goos", "pkg", "note"]
    row, column = (r.choice(keys) if r.random() < 0.3 else None for _ in range(2))
    return ([*(["-row", row] if row else []), *(["-col", column] if column else [])],
            [*(["--row", row] if row else []), *(["--column", column] if column else [])])


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout, done.stderr


def main():
    if not os.access(BENCHSTAT, os.X_OK):
        print("peer_benchstat.py: skipped, benchstat is not installed "
              "(go install golang.org/x/perf/cmd/benchstat@latest)")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i in range(ROUNDS):
            r = random.Random(SEED * 1000003 + i)
            plan = make_plan(r)
            files = ["old.txt", "new.txt", "a longer name.txt", "four"][: r.choice([1, 2, 2, 2, 3, 4])]
            for side, name in enumerate(files):
                make_file(r, name, plan, side)
            options = r.choice([[], [], ["alpha=0.01"], ["alpha=0.3", "confidence=0.8"], ["confidence=0.99"], ["confidence=1"], ["alpha=1e-05"]])
            kind = r.choice(["text", "csv"])
            theirs_keys, keys = make_keys(r)
            theirs, errors = run(BENCHSTAT, "-format", kind, *["-" + o for o in options], *theirs_keys, *files)
            ours, ours_err = run(PROFKIT, "diff", "--like", "benchstat", "--format", kind, *["--" + o for o in options], *keys, *files)
            if "no results" in ours_err or "no configuration" in ours_err:
                continue
            if theirs != ours:
                failed += 1
                if os.environ.get("PEER_KEEP"):
                    keep = os.path.join(os.environ["PEER_KEEP"], str(i))
                    shutil.copytree(".", keep, dirs_exist_ok=True)
                    open(keep + "/theirs", "w").write(theirs)
                    open(keep + "/ours", "w").write(ours)
                print(f"round {i} (PEER_SEED={SEED}) {options} {keys} {kind} {files}: {errors[:200]} {ours_err[:200]}")
                if failed <= 5:
                    for a, b in zip((theirs + "\n<end>").splitlines(), (ours + "\n<end>").splitlines()):
                        if a != b:
                            print("  benchstat:", a, "\n  profkit:  ", b)
                            break
    print(f"{ROUNDS} comparisons, {failed} differ")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
