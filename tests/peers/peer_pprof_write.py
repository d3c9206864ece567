#!/usr/bin/env python3
"""What profkit writes as pprof is what go tool pprof takes it for.

Fixtures of all formats that have call paths: pprof -raw accepts the file, -top has the self and total of each function that
profkit has. Those of pprof itself give the same -raw, whatever the ids and orders are. Skipped where there is no go.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
import pprof_raw  # noqa: E402

TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
FILES = ["example/orders.folded", "example/orders.raw.txt", "perf-script/inlined.perf", "perf-script/comms.perf", "memray/all.bin",
         "chrome/viztracer.json", "pyinstrument/tree-v5.json"]
# nothing that pprof refuses, or drops
PPROF = ["cpu.pb.gz", "heap.pb.gz", "mutex.pb.gz", "everything.pb.gz", "bare.pb", "micro.pb"]


def profkit(*arguments):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *arguments], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return run.stdout


def top(path, folder):
    """Self and total by name, in the unit of the file."""
    run = subprocess.run([*pprof_raw.go_pprof(), "-top", "-symbolize=none", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
                          "-unit=ns", str(path)], capture_output=True, check=True, text=True, env=pprof_raw.environment(folder))
    found = {}
    for line in run.stdout.splitlines():
        match = re.match(r" *(-?[\d.]+)(?:ns|B)? +[\d.]+% +[\d.]+% +(-?[\d.]+)(?:ns|B)? +[\d.]+%  (.*?)(?: \(inline\)| \(partial-inline\))?$", line)
        if match:
            found[match[3]] = float(match[1]), float(match[2])
    return found


def hotspots(path):
    found = collections.Counter()
    rows = json.loads(profkit("hotspots", "--format", "json", "--limit", "0", str(path)))["rows"]
    names = collections.Counter(row["function"] for row in rows)
    for row in rows:
        if names[row["function"]] == 1 and (row["self"] or row["total"]):
            found[row["function"]] = float(row["self"]), float(row["total"])
    return found


def check_top(path, folder):
    out = folder / "out.pb.gz"
    profkit("convert", "-q", str(path), "-o", str(out))
    theirs, ours = top(out, str(folder)), hotspots(path)
    wrong = {name: (ours[name], theirs.get(name)) for name in ours if ours[name] != theirs.get(name)}
    for name, both in list(wrong.items())[:3]:
        print(f"FAIL {path}: {name}: {both[0]}, by pprof {both[1]}")
    return bool(wrong) or not ours


def check_raw(path, folder):
    out = folder / "out.pb.gz"
    profkit("convert", "-q", "-O", "all-frames", str(path), "-o", str(out))
    ours, theirs = (pprof_raw.parse(pprof_raw.go_raw(p, str(folder))) for p in [out, path])
    for what, a, b in zip(theirs._fields, ours, theirs):
        if a != b:
            print(f"FAIL {path}: {what}: {str(a)[:300]} instead of {str(b)[:300]}")
    again = folder / "again.pb.gz"
    profkit("convert", "-q", str(out), "-o", str(again))
    if out.read_bytes() != again.read_bytes():
        print(f"FAIL {path}: written again, it is another file")
    return ours != theirs or out.read_bytes() != again.read_bytes()


def main():
    if not pprof_raw.have_go():
        print("skipped: no go")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failed = sum(check_top(TESTDATA / file, folder) for file in FILES)
        failed += sum(check_raw(TESTDATA / "pprof" / file, folder) for file in PPROF)
    print(f"{failed} of {len(FILES) + len(PPROF)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
