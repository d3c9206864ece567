#!/usr/bin/env python3
"""profkit and python's own pstats agree on the fixtures.

What --like pstats prints is what pstats prints for the same sort keys, restrictions,
stripped folders and files added; what the pstats writer writes is loaded by pstats as the
same dict (-O exact), and by default taken by snakeviz, gprof2dot, flameprof and tuna, as far as
this Python has them.
"""
import importlib.util
import io
import itertools
import marshal
import os
import pathlib
import pstats
import random
import subprocess
import sys
import tempfile

SORTS = [[], ["stdname"], ["cumulative"], ["time", "name"], ["pcalls", "nfl"], ["line", "file"],
         ["calls"], ["module", "cu"]]
REGEX = r"f\w*|{built|step"
# What the reader repairs is not what python loads.
REPAIRED = {"huge-counts.prof", "joined-callers.prof", "odd-counts.prof", "odd-lines.prof", "not-finite.prof",
            "repeated-keys.prof"}
# With the marker of Python 3.15, and with a caller that has no entry.
NOT_FOR_TEXT = REPAIRED | {"sampling.prof", "jprofile.prof"}

SHOWN_BY = {
    "snakeviz": "import json, pstats, snakeviz.stats as v; s = pstats.Stats(path);"
                "json.dumps([v.table_rows(s), v.json_stats(s)])",
    "gprof2dot": "import gprof2dot; gprof2dot.PstatsParser(path).parse()",
    "flameprof": "import io, pstats, flameprof;"
                 "flameprof.render(pstats.Stats(path).stats, io.StringIO())",
    "tuna": "import tuna._runtime_profile as t; t.read_runtime_profile(path)",
}
# What none of them shows: no root above 10 us for tuna, no caller for flameprof.
REFUSED = ("No root node found", "max() arg is an empty sequence",
           "max() iterable argument is empty")


def profkit(*arguments, folder):
    done = subprocess.run([os.environ.get("PROFKIT", "profkit"), *arguments], cwd=folder,
                          capture_output=True)
    return done.stdout if not done.returncode else done.stderr


def printed_by_pstats(what, files, sort, restrictions, strip, reverse):
    out = io.StringIO()
    stats = pstats.Stats(*files, stream=out)
    if strip:
        stats.strip_dirs()
    if sort:
        stats.sort_stats(*sort)
    if reverse:
        stats.reverse_order()
    getattr(stats, "print_" + what)(*restrictions)
    return out.getvalue().encode("utf-8", "surrogateescape")


def texts_differ(files, chance, folder):
    what = chance.choice(["stats", "callers", "callees"])
    sort, strip = chance.choice(SORTS), chance.random() < 0.3
    reverse, restrictions = bool(sort) and chance.random() < 0.3, []
    command = [{"stats": "hotspots"}.get(what, what), "--like", "pstats"]
    if sort:
        command += ["--sort", ",".join(sort)]
    command += ["--strip-dirs"] * strip + ["--reverse"] * reverse
    if chance.random() < 0.3:
        restrictions.append(REGEX)
        command += ["--match", REGEX] if what == "stats" else [REGEX]
    elif what != "stats":
        command.append("")  # of two operands the first is the function
    limit = chance.choice([None, 2, 0.5])
    if limit:
        restrictions.append(limit)
        command += ["-n", str(limit) if limit > 1 else f"{limit:.0%}"]
    try:
        expected = printed_by_pstats(what, files, sort, restrictions, strip, reverse)
    except (KeyError, TypeError, ValueError):
        return None  # callers without an entry, of different kinds
    if profkit(*command, *files, folder=folder) == expected:
        return False
    print("FAIL", *command, *files)
    return True


def check_texts(names, folder):
    chance = random.Random(5)
    files = [name for name in names if name not in NOT_FOR_TEXT]
    results = [texts_differ([name], chance, folder) for name in files for _ in range(8)]
    results += [texts_differ(chance.sample(files, chance.randint(2, 3)), chance, folder)
                for _ in range(100)]
    print(results.count(False), "texts are the same,", results.count(True), "are not")
    return results.count(True) + (results.count(False) < 100)


def equal(a, b):
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(equal(a[key], b[key]) for key in a)
    return a == b or (a != a and b != b)


def load(path):
    with open(path, "rb") as f:
        return marshal.load(f)


def check_dicts(names, folder):
    failed = 0
    for name in names:
        profkit("convert", "-O", "exact", name, "-o", "again.pstats", folder=folder)
        if name not in REPAIRED and not equal(load(name), load("again.pstats")):
            print("FAIL: python loads another dict from", name, "converted")
            failed += 1
        os.remove("again.pstats")
    return failed


def check_large(folder):
    """Objects that are shared all over a file so large that it is read piece by piece."""
    chance = random.Random(1)
    times = [0.0] + [chance.random() for _ in range(100)]
    tuples = [(chance.randrange(9), chance.randrange(9), chance.random(), 0.5) for _ in range(99)]
    keys = [(f"/srv/app/module{n % 999}.py", n, f"function_{n}") for n in range(30000)]
    shared = [{chance.choice(keys): chance.choice(tuples) for _ in range(3)} for _ in range(9)]
    large = {}
    for key in keys:
        callers = {chance.choice(keys): chance.choice(tuples) if chance.random() < 0.3 else
                   (chance.randrange(999), 1, chance.choice(times), chance.random())
                   for _ in range(chance.randrange(4))}
        calls = chance.randrange(10**6)
        large[key] = (calls, calls, chance.choice(times), chance.random(),
                      chance.choice(shared) if chance.random() < 0.01 else callers)
    with open("large.pstats", "wb") as f:
        marshal.dump(large, f)
    profkit("convert", "-O", "exact", "large.pstats", "-o", "again.pstats", folder=folder)
    if equal(large, load("again.pstats")):
        return 0
    print("FAIL: python loads another dict from a large file converted")
    return 1


def check_not_finite(folder):
    """NaN is equal to everything for python's sort, whose result depends on how it sorts."""
    chance, failed = random.Random(3), 0

    def time():
        return chance.choice([float("nan"), float("inf"), float("-inf"), chance.random(),
                              chance.randrange(4) / 4])

    for count in (1, 2, 3, 5, 9, 17, 30, 45, 62):
        with open("times.prof", "wb") as f:
            f.write(marshal.dumps({("a.py", line, "f"): (1, 1, time(), time(), {})
                                   for line in range(count)}))
        for sort in ("cumulative", "time", "calls,cumulative"):
            printed = profkit("hotspots", "--like", "pstats", "--sort", sort, "times.prof",
                              folder=folder)
            right = printed_by_pstats("stats", ["times.prof"], sort.split(","), [], False, False)
            if printed.split(b"\n")[3:] != right.split(b"\n")[3:]:
                print(f"{count} functions by {sort}: {printed}, not {right}")
                failed += 1
    return failed


def check_viewers(names, folder):
    viewers = [name for name in SHOWN_BY if importlib.util.find_spec(name)]
    failed = 0
    for name in names:
        profkit("convert", name, "-o", "for-all.pstats", folder=folder)
        pstats.Stats("for-all.pstats")
        for viewer in viewers:
            done = subprocess.run([sys.executable, "-c", "path = 'for-all.pstats'\n" +
                                   SHOWN_BY[viewer]], capture_output=True, text=True)
            if done.returncode and not any(text in done.stderr for text in REFUSED):
                print(f"FAIL: {viewer} with {name} converted:\n{done.stderr}")
                failed += 1
        os.remove("for-all.pstats")
    print("shown by", ", ".join(viewers) or "none: no viewer is installed")
    return failed


def is_read(path):
    """Python 2's files are not, nor are code objects of other versions."""
    if path.startswith("code-"):
        return False
    try:
        return bool(load(path))
    except ValueError:
        return False


def main():
    fixtures = pathlib.Path(os.environ.get("TESTDATA", "testdata")).resolve() / "pstats"
    os.environ["TZ"] = "UTC"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for path in sorted(fixtures.glob("*.prof")):
            with open(path.name, "wb") as f:
                f.write(path.read_bytes())
        names = sorted(os.listdir(folder))
        python3 = [name for name in names if is_read(name)]
        failed = check_texts(python3, folder) + check_dicts(python3, folder)
        failed += check_large(folder) + check_not_finite(folder) + check_viewers(names, folder)
        os.chdir("/")
    return 1 if failed or not python3 else 0


sys.exit(main())
