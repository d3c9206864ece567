#!/usr/bin/env python3
"""Programs profiled now, by cProfile, before and after a change: what profkit diff and profkit
check say of it, with function, file and line. Calls are those of the real profiler; times are of
a clock that the programs themselves move, so that they are the same on every machine."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import cProfile
except ImportError:
    print("skipped: no cProfile")
    sys.exit(77)

PROFKIT = os.environ["PROFKIT"]
RUNS = 5
failed = []

SHOP = """
clock = 0

def spend(n):
    pass

def price_of(item):
    spend(40)
    return len(item)

def discount(item):
    spend(10)
    return 1

def audit(total):
    spend(100)

def fetch(n):
    spend(30)
    return ["item"] * n

def load(n):
    spend(300)
    return fetch(n)

def shop(n):
    spend(20)
    total = 0
    for item in load(n):
        total += price_of(item) - discount(item)
    audit(total)
    return total

shop(50)
"""


def expect(what, good):
    if not good:
        failed.append(what)
        print("FAIL", what)


def change(*pairs):
    """The program with texts replaced, and every function on another line."""
    text = "# A line more.\n" + SHOP
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def line_of(program, function):
    for number, line in enumerate(program.splitlines(), 1):
        if line.startswith(f"def {function}("):
            return number
    return None


def record(folder, name, program, run=None):
    """One run on the clock of the program, which calls of spend become in their functions; with a
    run's number, with noise of its own."""
    side = os.path.join(folder, name)
    os.makedirs(side, exist_ok=True)
    path = os.path.join(side, "shop.py")
    text = re.sub(r"(?m)^    spend\((\d+)\)", r"    global clock; clock += jitter(\1)", program)
    with open(path, "w", encoding="utf-8") as f:
        f.write(program)
    noise = random.Random(f"{name} {run}")
    # One factor for the run, as of a machine, and little more for each function.
    factor = 1 if run is None else 1 + 0.1 * noise.random()
    sizes = {n: round(n * 1000 * factor * (1 if run is None else 1 + 0.02 * noise.random()))
             for n in range(1000)}
    names = {"__name__": "__main__", "jitter": sizes.__getitem__}
    profiler = cProfile.Profile(lambda: names.get("clock", 0), 1e-6, builtins=False)
    profiler.runctx(compile(text, path, "exec"), names, names)
    out = os.path.join(side, f"{run or 0}.prof")
    profiler.dump_stats(out)
    return out


def record_really(folder, name, program):
    """As a user does it: the functions called, in real time."""
    side = os.path.join(folder, name)
    os.makedirs(side, exist_ok=True)
    with open(os.path.join(side, "shop.py"), "w", encoding="utf-8") as f:
        f.write(program)
    subprocess.run([sys.executable, "-m", "cProfile", "-o", "real.prof", "shop.py"], cwd=side,
                   check=True)
    return os.path.join(side, "real.prof")


def diff(before, after, *options):
    done = subprocess.run([PROFKIT, "diff", "--format", "json", *options, *before, "--", *after],
                          stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout)
    return result, {row["function"]: row for row in result["rows"]}


def check(before, after, *options):
    """The status, and file, line and title of the annotations that are errors."""
    command = [PROFKIT, "check", "-q", "--report", "github", *options]
    for path in before:
        command += ["--baseline", path]
    done = subprocess.run(command + after, stdout=subprocess.PIPE, encoding="utf-8")
    found = re.findall(r"(?m)^::error file=([^,:]*),line=(\d+),title=(.*)$", done.stdout)
    return done.returncode, [(os.path.basename(f), int(line), text) for f, line, text in found]


def changed(rows):
    """What is neither unchanged nor undecided, by name."""
    return {name: row["verdict"] for name, row in rows.items()
            if row["verdict"] not in ("unchanged", "minor", "inconclusive")}


def nothing_changed(folder):
    before = record_really(folder, "same", SHOP)
    after = record_really(folder, "again", "# A line more.\n" + SHOP)
    _, rows = diff([before], [after], "-m", "calls")
    expect(f"equal programs: {changed(rows)}", not changed(rows) and len(rows) > 6)
    expect("equal programs pass", check([before], [after], "--fail", "calls>0",
                                        "--fail", "calls(re:.)>0") == (0, []))


def called_once_more(folder):
    program = change(("    return total\n", "    price_of('bag')\n    return total\n"))
    before, after = record_really(folder, "few", SHOP), record_really(folder, "more", program)
    _, rows = diff([before], [after], "-m", "calls")
    row = rows["price_of"]
    expect(f"a call more: {row}", (row["before"], row["after"], row["verdict"]) ==
           (50, 51, "regressed"))
    line = line_of(program, "price_of")
    for rule in ("calls(price_of)>0", "calls>0"):
        status, found = check([before], [after], "--fail", rule)
        expect(f"a call more, {rule}: {status} {found}", status == 1 and len(found) == 1 and
               found[0][:2] == ("shop.py", line) and "price_of" in found[0][2])
    status, found = check([before], [after], "--fail", "calls(discount)>0")
    expect(f"others are called as before: {found}", (status, found) == (0, []))


def moved_cost(folder):
    program = change(("def load(n):\n    spend(300)", "def load(n):\n    spend(10)"),
                     ("def fetch(n):\n    spend(30)", "def fetch(n):\n    spend(320)"))
    before, after = [record(folder, "there", SHOP)], [record(folder, "here", program)]
    result, rows = diff(before, after)
    expect(f"moved: {changed(rows)}", changed(rows) == {"load": "shifted", "fetch": "shifted"})
    expect(f"moved: {rows['fetch']['note']}", "load" in rows["fetch"]["note"])
    expect("moved: total", result["total"]["delta"] == 0)
    status, found = check(before, after)
    expect(f"moved passes: {status} {found}", (status, found) == (0, []))


def renamed(folder):
    program = change(("load(", "read_all("))
    before, after = [record(folder, "old", SHOP)], [record(folder, "new", program)]
    _, rows = diff(before, after)
    expect(f"renamed: {changed(rows)}", changed(rows) == {"load": "shifted", "read_all": "shifted"})
    expect(f"renamed: {rows['read_all']['note']}", "load" in rows["read_all"]["note"])
    _, rows = diff(before, after, "--map", "load=read_all")
    expect(f"mapped: {changed(rows)}", not changed(rows))
    expect("renamed passes", check(before, after, "--fail", "new>5%") == (0, []))


def appeared(folder):
    program = change(("    audit(total)\n", "    audit(total)\n    report(total)\n"),
                     ("def fetch(n):", "def report(total):\n    spend(500)\n\ndef fetch(n):"))
    before, after = [record(folder, "without report", SHOP)], [record(folder, "report", program)]
    _, rows = diff(before, after)
    expect(f"appeared: {changed(rows)}", changed(rows) == {"report": "new"})
    status, found = check(before, after, "--fail", "new>5%")
    expect(f"appeared: {status} {found}", status == 1 and
           [f[:2] for f in found] == [("shop.py", line_of(program, "report"))])
    expect("appeared passes", check(before, after, "--fail", "new>20%") == (0, []))


def vanished(folder):
    program = change(("    audit(total)\n", ""))
    before, after = [record(folder, "with", SHOP)], [record(folder, "without", program)]
    result, rows = diff(before, after)
    expect(f"vanished: {changed(rows)}", changed(rows)["audit"] == "gone")
    expect(f"vanished: {rows['audit']}", rows["audit"]["before"] == 100000000 and
           rows["audit"]["after"] == 0 and result["total"]["delta"] == -100000000)
    expect("vanished passes", check(before, after)[0] == 0)


def other_times(folder):
    """A function that is a half slower, and one that is faster, in one run and in several."""
    program = change(("spend(40)", "spend(60)"))
    base = [record(folder, "base", SHOP, run) for run in range(1, RUNS + 1)]
    slow = [record(folder, "slow", program, run) for run in range(1, RUNS + 1)]
    line = line_of(program, "price_of")
    for before, after, verdict, single in ((base, slow, "regressed", "maybe slower"),
                                           (slow, base, "improved", "maybe faster")):
        result, rows = diff(before, after)
        expect(f"{verdict}: {changed(rows)}", changed(rows) == {"price_of": verdict})
        expect(f"{verdict}: {result['method']}", result["method"] == "permutation")
        low, high = rows["price_of"]["ci_low"], rows["price_of"]["ci_high"]
        ratio = 1.5 if verdict == "regressed" else 1 / 1.5
        expect(f"{verdict}: {low} {high}", low <= ratio * 1.02 and high >= ratio / 1.02)
        _, rows = diff(before[:1], after[:1])
        expect(f"{single}: {changed(rows)}", changed(rows) == {"price_of": "suspect"})
        status, found = check(before, after, "--fail", "self>10%")
        wanted = (1, [line]) if verdict == "regressed" else (0, [])
        expect(f"check, {verdict}: {status} {found}", (status, [f[1] for f in found]) == wanted)


def ratcheted(folder):
    """What became faster is the baseline from then on."""
    program = change(("spend(40)", "spend(60)"))
    slow = [record(folder, "was slow", program, run) for run in range(1, RUNS + 1)]
    fast = [record(folder, "is fast", SHOP, run) for run in range(1, RUNS + 1)]
    kept = os.path.join(folder, "kept.baseline")
    subprocess.run([PROFKIT, "check", "-q", "--baseline", kept, "--update-baseline", *slow],
                   check=True)
    expect("slow again passes at first", check([kept], slow, "--fail", "self>10%") == (0, []))
    expect("faster passes", check([kept], fast, "--fail", "self>10%", "--ratchet") == (0, []))
    expect("fast passes", check([kept], fast, "--fail", "self>10%") == (0, []))
    status, found = check([kept], slow, "--fail", "self>10%")
    expect(f"slow again: {status} {found}", status == 1 and
           [f[:2] for f in found] == [("shop.py", line_of(program, "price_of"))])


with tempfile.TemporaryDirectory() as work:
    nothing_changed(work)
    called_once_more(work)
    moved_cost(work)
    renamed(work)
    appeared(work)
    vanished(work)
    other_times(work)
    ratcheted(work)
print(f"{len(failed)} problems")
sys.exit(bool(failed))
