#!/usr/bin/env python3
"""What recording costs: the processor time of a program and its recorder, as a multiple of that of the
program alone, and the size of the file for each second. The table of profkit-recording(7) is from here.

    bench/recorders.py PROGRAM.py [OPERANDS]      recorders that are not installed are left out
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

RUNS = 5
RECORDERS = [  # name, program that must be there, command; P is python and the program
    ("none", "python3", "P"),
    ("cProfile", "python3", "python3 -m cProfile -o OUT W"),
    ("pyinstrument", "pyinstrument", "pyinstrument -r session -o OUT W"),
    ("py-spy, 100/s", "py-spy", "py-spy record -s -f chrometrace -o OUT -- P"),
    ("py-spy, 1000/s", "py-spy", "py-spy record -s -r 1000 -f chrometrace -o OUT -- P"),
    ("py-spy, native", "py-spy", "py-spy record -s -n -f chrometrace -o OUT -- P"),
    ("austin, 1 ms", "austin", "austin -C -i 1ms -o OUT P"),
    ("viztracer", "viztracer", "viztracer --tracer_entries 5000000 -o OUT.json W"),
    ("viztracer, 10 us", "viztracer", "viztracer --tracer_entries 5000000 --min_duration 10us -o OUT.json W"),
    ("perf, 999/s", "perf", "perf record -q -F 999 -g -o OUT -- P"),
    ("memray", "memray", "memray run -q -f -o OUT W"),
]


def run(command):
    before = os.times()
    done = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    if done.returncode:
        sys.exit(f"'{command}' fails with status {done.returncode}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    words = " ".join(sys.argv[1:]) or sys.exit(__doc__)
    folder = tempfile.mkdtemp()
    alone = None
    for name, program, command in RECORDERS:
        if not shutil.which(program):
            continue
        out = os.path.join(folder, program)
        command = " ".join({"P": "python3 " + words, "W": words, "OUT": out, "OUT.json": out + ".json"}.get(w, w)
                           for w in command.split())
        seconds = min(run(command) for _ in range(RUNS))
        alone = alone or seconds
        size = sum(os.path.getsize(f) for f in glob.glob(out + "*"))
        for f in glob.glob(out + "*"):
            os.remove(f)
        print(f"{name:<18}{seconds:8.2f} s {seconds / alone:6.2f} times {size / alone / 1e6:10.2f} MB a second", flush=True)
    os.rmdir(folder)


main()
