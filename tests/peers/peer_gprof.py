#!/usr/bin/env python3
"""hotspots --like gprof prints what gprof -b -p prints of the same gmon.out: of a program that is compiled and run here,
optimised and not, moved and not, and of files with random ticks and calls at addresses of it.

Skipped where there is no gprof, or no compiler that knows -pg.
"""
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

WORK = pathlib.Path(os.environ.get("srcdir", ".")).resolve() / "testdata/gprof/work.c"
FLAGS = (["-O0", "-no-pie"], ["-O1", "-g", "-fPIE", "-pie"], ["-O2", "-no-pie"])
SEEDS = 25


def compare(profkit, program, gmon, what):
    theirs = subprocess.run(["gprof", "-b", "-p", program, gmon], capture_output=True, check=True).stdout
    ours = subprocess.run([profkit, "hotspots", "-q", "--like", "gprof", "-O", f"binary={program}", gmon], capture_output=True, check=False)
    if ours.stdout == theirs:
        return 0
    print(f"FAIL {what}: {ours.stderr.decode(errors='replace')}\n{ours.stdout.decode()}\ninstead of\n{theirs.decode()}")
    return 1


def range_of(gmon):
    return struct.unpack("<QQ", gmon[21:37])


def random_gmon(program, gmon, r):
    """Ticks in one to three parts of the code that the program itself watched, and calls between its functions."""
    low, high = range_of(gmon)
    rate, step = r.choice([100, 1024, 999, 250]), r.choice([2, 4, 8])
    cuts = [low, *sorted(r.sample(range(low + 64, high - 64, 8), r.choice([0, 1, 2]))), high]
    data = b"gmon" + struct.pack("<I", 1) + bytes(12)
    for begin, end in zip(cuts, cuts[1:]):
        count = (end - begin) // step
        dense, most = r.choice([0.01, 0.1, 0.6]), r.choice([1, 3, 1000, 65535])
        data += b"\0" + struct.pack("<QQII", begin, end if end == high else begin + count * step, count, rate) + b"seconds".ljust(15, b"\0") + b"s"
        data += b"".join(struct.pack("<H", r.randint(0, most) if r.random() < dense else 0) for _ in range(count))
    names = [line.split() for line in subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines()]
    begins = [int(name[0], 16) for name in names if name[1] in "tT" and low <= int(name[0], 16) < high - 64]
    for _ in range(r.choice([5, 40])):
        data += b"\1" + struct.pack("<QQI", r.choice(begins) + r.randint(4, 30), r.choice(begins) + r.choice([1, 4, 8]),
                                    r.choice([1, 7, 1000, 10**6, 10**9]))
    return data


def main():
    profkit = os.path.abspath(os.environ.get("PROFKIT", "./profkit"))
    if not all(map(shutil.which, ("gprof", "gcc", "nm"))):
        print("skipped: no gprof, gcc or nm")
        return 77
    failed, r = 0, random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for flags in FLAGS:
            if subprocess.run(["gcc", "-pg", *flags, WORK, "-o", "work"], cwd=folder, capture_output=True, check=False).returncode or \
                    subprocess.run(["./work"], cwd=folder, capture_output=True, check=False).returncode:
                print("skipped: gcc -pg makes no program here")
                return 77
            gmon = pathlib.Path(folder, "gmon.out").read_bytes()
            if b"without elfutils" in subprocess.run([profkit, "info", "-O", "binary=work", "gmon.out"], cwd=folder,
                                                     capture_output=True, check=False).stderr:
                print("skipped: profkit was built without elfutils")
                return 77
            failed += compare(profkit, f"{folder}/work", f"{folder}/gmon.out", " ".join(flags))
            for seed in range(SEEDS):
                pathlib.Path(folder, "random.out").write_bytes(random_gmon(f"{folder}/work", gmon, r))
                failed += compare(profkit, f"{folder}/work", f"{folder}/random.out", f"{' '.join(flags)}, random file {seed}")
    print(f"{len(FLAGS) * (SEEDS + 1)} files, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
