#!/usr/bin/env python3
"""diff subtracts as pprof -diff_base does: flat is self, cum is total.

Random stacks, recursion included, are written as folded stacks and as pprof's protobuf. Skipped
where there is no go.
"""

import gzip
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTDATA"])
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
import pprof_raw  # noqa: E402
from protobuf import number, text, varint  # noqa: E402

SKIP = 77


def field(number_of, value):
    return number(number_of, value) if isinstance(value, int) else text(number_of, value)


def profile(stacks):
    """profile.proto: one sample type, a location and a function for every name."""
    texts, out = ["", "samples", "count"], b""
    names = sorted({name for stack, _ in stacks for name in stack})
    texts += names
    number = {name: i + 1 for i, name in enumerate(names)}
    out += field(1, field(1, 1) + field(2, 2))
    for stack, count in stacks:
        locations = b"".join(varint(number[name]) for name in reversed(stack))
        out += field(2, field(1, locations) + field(2, varint(count)))
    for name in names:
        line = field(1, number[name])
        out += field(4, field(1, number[name]) + field(4, line))
        out += field(5, field(1, number[name]) + field(2, texts.index(name, 3)))
    return gzip.compress(out + b"".join(field(6, text.encode()) for text in texts))


def pprof(before, after):
    command = [*pprof_raw.go_pprof(), "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
               f"-diff_base={before}", after]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        match = re.match(r" *(-?\d+) +[\d.]+% +[\d.]+% +(-?\d+) +[\d.]+%  (\S+)", line)
        if match:
            found[match[3]] = int(match[1]), int(match[2])
    return found


def profkit(before, after):
    found = {}
    for i, measure in enumerate(("self", "total")):
        command = [os.environ.get("PROFKIT", "profkit"), "diff", "--measure", measure, "--format",
                   "json", before, after]
        done = subprocess.run(command, capture_output=True, check=True)
        for row in json.loads(done.stdout)["rows"]:
            found.setdefault(row["function"], [0, 0])[i] = row["delta"]
    return {name: tuple(deltas) for name, deltas in found.items()}


def stacks(chance):
    names = [f"f{i}" for i in range(12)]
    return [(["main"] + [chance.choice(names) for _ in range(chance.randint(0, 6))],
             chance.randint(1, 90)) for _ in range(40)]


def compare(folder, seed):
    chance, paths = random.Random(seed), []
    for side in "before", "after":
        made = stacks(chance)
        folded, proto = folder / f"{side}.folded", folder / f"{side}.pb.gz"
        folded.write_text("".join(f"{';'.join(s)} {n}\n" for s, n in made))
        proto.write_bytes(profile(made))
        paths.append((folded, proto))
    ours = profkit(paths[0][0], paths[1][0])
    theirs = pprof(paths[0][1], paths[1][1])
    # pprof leaves out what did not change.
    wrong = {name: (ours.get(name), theirs.get(name, (0, 0))) for name in ours.keys() | theirs.keys()
             if ours.get(name) != theirs.get(name, (0, 0))}
    for name, both in list(wrong.items())[:5]:
        print("FAIL", seed, name, both[0], "instead of", both[1])
    return not theirs or bool(wrong)


def main():
    if not shutil.which("go"):
        print("skipped: no go")
        return SKIP
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PPROF_TMPDIR"] = folder
        failed = sum(compare(pathlib.Path(folder), seed) for seed in range(5))
    print(f"{failed} of 5 pairs differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
