#!/usr/bin/env python3
"""Who began whom is in the file: perf's records of forks, and the processes around others in py-spy's stacks.

The parent of a pool is no worker, however busy it is; processes of a pool that never got work are. A parent that
works longer than its workers is what they wait for, also where a recording has no times.
"""
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile

PROFKIT = os.environ.get("PROFKIT", "./profkit")
failures = []


def perf(seconds, idle=()):
    """{pid: seconds at work} in parts of 10 ms over the run; all but 10 are begun by 10, which sh (9) began, after 0.1 s."""
    pids = [pid for pid in seconds if pid > 10]
    lines = ["sh 9/9 100.000000: PERF_RECORD_FORK(10:10):(9:9)\n",
             "python 10/10 100.000001: PERF_RECORD_COMM exec: python:10/10\n"]
    lines += [f"python 10/10 100.1{i:05}: PERF_RECORD_FORK({pid}:{pid}):(10:10)\n" for i, pid in enumerate([*pids, *idle])]
    lines += ["python 10/10 100.190000: PERF_RECORD_FORK(90:90):(10:10)\n",  # another program
              "sort 90/90 100.191000: PERF_RECORD_COMM exec: sort:90/90\n"]
    most = max(seconds.values())
    samples = sorted((100.2 + i / 100 * most / work, pid) for pid, work in seconds.items() for i in range(round(work * 100)))
    for time, pid in samples:
        lines.append(f"python {pid}/{pid} {time:.6f}: 10000000 cpu-clock: \n\t5581 work+0x1 (/srv/busy)\n\n")
    return "".join(lines)


def py_spy(samples):
    """{pid: samples}; 1 is the parent."""
    lines = [f'process 1:"python a.py";f (a.py:1) {samples[1]}\n']
    lines += [f'process 1:"python a.py";process {pid}:"python a.py";f (a.py:1) {n}\n'
              for pid, n in samples.items() if pid != 1]
    return "".join(lines)


def speedscope(samples):
    frames = [{"name": f'process {pid}:"python a.py"', "file": "", "line": 0, "col": 0} for pid in samples]
    frames.append({"name": "f", "file": "a.py", "line": 1})
    pids = list(samples)
    return json.dumps({
        "$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "py-spy@0.4.0",
        "shared": {"frames": frames}, "profiles": [
            {"type": "sampled", "name": f'Process {pid} Thread {pid} "MainThread"', "unit": "seconds", "startValue": 0,
             "endValue": n / 100, "samples": [([0] if pid != 1 else []) + [pids.index(pid), len(pids)]] * n,
             "weights": [.01] * n} for pid, n in samples.items()]})


def check(what, got, want):
    if got != want:
        failures.append(f"{what}: {got}, should be {want}")


def limit_time():
    """Ends a program that goes round for ever."""
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))


def workers(what, text, pids, codes):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        workers_of(what, file.name, pids, codes)


def workers_of(what, path, pids, codes):
    command = [PROFKIT, "workers", "-q", "--format", "json", path]
    ran = subprocess.run(command, capture_output=True, check=False, preexec_fn=limit_time)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}: {ran.stderr.decode()}")
    got = json.loads(ran.stdout)
    check(f"{what}: workers", sorted(w["process"] for w in got["workers"]), pids)
    check(f"{what}: diagnosis", [d["code"] for d in got["diagnosis"]], codes)


def main():
    # As busy as the others, and named and begun like them.
    workers("perf", perf({10: 1, 11: 1, 12: 1, 13: 1}), [11, 12, 13], ["good"])
    workers("perf, idle", perf({10: 1, 11: 1, 12: 1}, idle=(13, 14)), [11, 12, 13, 14], ["static_imbalance", "starved"])
    # Workers have too few samples to be compared, because the parent has them all.
    workers("perf, starved", perf({10: 2, 11: .2, 12: .2, 13: .2}), [11, 12, 13], ["busy_parent"])
    # A store may say that processes began each other; the walk from one to the next has an end.
    with tempfile.TemporaryDirectory() as folder:
        text, store = os.path.join(folder, "x.txt"), os.path.join(folder, "x.db")
        with open(text, "w", encoding="ascii") as file:
            file.write(perf({10: 1, 11: 1, 12: 1, 13: 1}))
        subprocess.run([PROFKIT, "convert", "-q", text, "-o", store], check=True)
        database = sqlite3.connect(store)
        database.execute("UPDATE process SET parent = 11 WHERE pid = 10")
        database.commit()
        database.close()
        workers_of("parents in a circle", store, [11, 12, 13], ["good"])
    for name, make in (("py-spy", py_spy), ("speedscope", speedscope)):
        workers(name, make({1: 100, 2: 100, 3: 100}), [2, 3], ["good"])
        workers(f"{name}, starved", make({1: 400, 2: 50, 3: 60}), [2, 3], ["busy_parent"])
    print("\n".join(failures))
    print(f"16 results, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
