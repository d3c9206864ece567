#!/usr/bin/env python3
"""The call graph has gprof2dot's numbers with its options too, and for folded stacks.

Runs both programs on the example's profiles and on folded stacks full of cycles. Skipped where
Python has no module gprof2dot.
"""

import importlib.util
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source folder is not ours to write to
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "corpus"))
from corpus_callgraph import SKIP, parse, report  # noqa: E402

WHOLE = (["--node-thres", "0", "-e", "0"], ["-n0", "-e0"])  # nothing below a threshold
SAME = [
    [], ["-c", "pink"], ["-c", "gray"], ["-c", "bw"], ["-c", "print"], ["--skew", "0.1"],
    ["--skew", "20"], ["--color-nodes-by-selftime"], ["--wrap"],
    ["--node-label", "self-time", "--node-label", "total-time-percentage"],
    ["--node-label", "total-time", "--time-format", "%.3e"],
]
# gprof2dot looks for functions in what the thresholds left, so that they are set to 0.
SELECTING = [
    [], ["--root", "*:main"], ["--leaf", "*randrange"], ["--root", "*:main", "--depth", "2"],
    ["--root", "*:parse", "--leaf", "*bit_length*"], ["--path", "/usr"],
]


def drawn(command, files):
    done = subprocess.run(command + [str(f) for f in files], capture_output=True, check=True)
    return parse(done.stdout.decode(), False)


def differs(kind, ours, theirs, files):
    profkit = [os.environ.get("PROFKIT", "profkit"), "callgraph", "--arrows", "0"]
    gprof2dot = [sys.executable, "-m", "gprof2dot", "-f", kind]
    a, b = drawn(profkit + ours, files), drawn(gprof2dot + theirs, files)
    if a == b and (b[0] or "--path" in ours):
        return False
    print("FAIL", *ours, *files)
    report("box", a[0], b[0])
    report("arrow", a[1], b[1])
    return True


def numbers(command, files):
    """The shares and differences of boxes by name, and of arrows by the names they join."""
    done = subprocess.run(command + [str(f) for f in files], capture_output=True, check=True)
    boxes, arrows, names = {}, {}, {}
    for line in done.stdout.decode().splitlines():
        label = re.search(r'label="((?:[^"\\]|\\.)*)"', line)
        ends = re.match(r"\t(\w+)(?: -> (\w+))? \[", line)
        if not label or not ends or ends[1] == "legend":
            continue
        lines = label[1].split("\\n")
        if ends[2]:
            arrows[ends[1], ends[2]] = re.findall(r"[\d.]+(?=%)", lines[0])
        else:
            names[ends[1]] = lines[0]
            shares = [text for text in lines[1:] if "%" in text]
            boxes[lines[0]] = [
                [float(n) for n in re.findall(r"[+-]?[\d.]+(?=%)", re.sub(r"([+-]) ", r"\1", text))]
                for text in shares
            ]
    return boxes, {(names[a], names[b]): shares for (a, b), shares in arrows.items()}


def compares(options, files):
    """gprof2dot shows the functions before, by name and line; of those the numbers are equal."""
    profkit = [os.environ.get("PROFKIT", "profkit"), "callgraph", "--compare", "--no-legend"]
    gprof2dot = [sys.executable, "-m", "gprof2dot", "-f", "pstats", "--compare"]
    ours, theirs = numbers(profkit + options, files), numbers(gprof2dot + options, files)
    failed = not theirs[0]
    for a, b in zip(ours, theirs):
        for key, value in b.items():
            if a.get(key) != value:
                print("FAIL", *options, *files, key, a.get(key), "instead of", value)
                failed = True
    return failed


def folded_stacks(seed):
    chance = random.Random(seed)
    names = [f"f{i}" for i in range(chance.randint(3, 12))]
    for _ in range(chance.randint(3, 40)):
        stack = [chance.choice(names) for _ in range(chance.randint(1, 7))]
        if chance.random() < 0.8:
            stack.insert(0, "main")
        yield f"{';'.join(stack)} {chance.randint(1, 50)}\n"


def main():
    if not importlib.util.find_spec("gprof2dot"):
        print("skipped: no Python module gprof2dot")
        return SKIP
    example = pathlib.Path(os.environ.get("TESTDATA", "testdata")) / "example"
    before, after = example / "before.prof", example / "after.prof"
    failed = 0
    for options, files in itertools.product(SAME, ([before], [before, after])):
        failed += differs("pstats", options, options, files)
    for options in SELECTING:
        failed += differs("pstats", WHOLE[0] + options, WHOLE[1] + options, [before])
    for options in [], ["--compare-tolerance", "0.1"]:
        for name in "slower", "faster", "often", "before":
            files = [example.parent / "diff" / f"{side}.prof" for side in ("before", name)]
            failed += compares(options, files)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(20):
            path = pathlib.Path(folder) / f"{seed}.folded"
            path.write_text("".join(folded_stacks(seed)))
            failed += differs("collapse", WHOLE[0] + ["--total", "callratios"], WHOLE[1], [path])
    print(f"{failed} graphs differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
