#!/usr/bin/env python3
"""Programs that share work among a pool in several ways, recorded by viztracer, py-spy and perf: each
recording is diagnosed as what it is, as far as its recorder can show it, and what it cannot show is said.

testdata/workers/SOURCE tells how recordings were made.
"""
import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(os.environ.get("TESTDATA", "testdata")) / "workers/recorded"
PARTS = ("useful", "overhead", "startup", "tail", "wait")

# What is said, the largest loss first. Only viztracer knows where tasks begin and end: for others, work
# is uneven, whatever the cause. What perf sees of tiny tasks is the kernel's part of passing them, and that
# the parent has no time to pass more.
EXPECTED = {
    "viztracer.json": {"good": ["good"], "tiny": ["overhead_tiny_tasks"], "tail": ["tail_long_task"],
                       "chunks": ["tail_chunks"]},
    "chrometrace.json": {"good": ["good"], "tiny": ["overhead_tiny_tasks"], "tail": ["static_imbalance"],
                         "chunks": ["static_imbalance"]},
    "perf.txt": {"good": ["good"], "tiny": ["overhead_tiny_tasks", "starved", "serial_section"],
                 "tail": ["static_imbalance"], "chunks": ["static_imbalance"]},
    "py-spy.txt": {"good": ["good"], "tiny": ["overhead_tiny_tasks"], "tail": ["static_imbalance"],
                   "chunks": ["static_imbalance"]},
    "speedscope.json": {"good": ["good"], "tiny": ["overhead_tiny_tasks"], "tail": ["static_imbalance"],
                        "chunks": ["static_imbalance"]},
}
# Of contend.py. py-spy's sums show that a lock is taken, and not how long workers wait for it; perf
# that they take turns; with threads, all but perf see one lock of two: the GIL.
CONTENDED = {
    "lock.viztracer.json": ["overhead_lock"],
    "lock.chrometrace.json": ["overhead_lock"],
    "lock.py-spy.txt": ["overhead_lock"],
    "lock.speedscope.json": ["overhead_lock"],
    "lock.perf.txt": ["taking_turns"],
    "lock.threads.viztracer.json": ["gil"],
    "lock.threads.speedscope.json": ["gil"],
    "lock.threads.perf.txt": ["taking_turns"],
    "starve.viztracer.json": ["serial_section", "starved"],
    "starve.py-spy.txt": ["busy_parent"],
    "starve.speedscope.json": ["busy_parent"],
    "starve.perf.txt": ["busy_parent"],
    "chunks.viztracer.json": ["tail_chunks"],
    "chunks.py-spy.txt": ["static_imbalance"],
    "chunks.speedscope.json": ["static_imbalance"],
    "chunks.perf.txt": ["static_imbalance"],
}
# Beginnings of notes, and what is null in the object.
NO_TASKS = "tasks are not known"
NO_TIMES = "no times in this profile"
SAMPLES = "from samples"
BLIND = "Python's functions are not in this profile"
CANNOT = {
    "viztracer.json": ([], set()),
    "chrometrace.json": ([NO_TASKS], {"tasks"}),
    "perf.txt": ([SAMPLES, NO_TASKS, BLIND], {"tasks"}),
    "py-spy.txt": ([NO_TIMES, NO_TASKS],
                   {"tasks", "parallel_efficiency", "communication_efficiency", "effective_workers", "tail"}),
    "speedscope.json": ([NO_TIMES, NO_TASKS],
                        {"tasks", "parallel_efficiency", "communication_efficiency", "effective_workers", "tail"}),
}
TASKS = {"good": (160, 40, 4), "tiny": (420, 420, 1), "tail": (81, 81, 1), "chunks": (144, 4, 36)}
failures = []
done = 0


def check(what, got, want):
    global done  # pylint: disable=global-statement
    done += 1
    if got != want:
        failures.append(f"{what}: {got}, should be {want}")


def run(*arguments):
    command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", *arguments]
    ran = subprocess.run(command, capture_output=True, check=False)
    if ran.returncode:
        failures.append(f"{' '.join(map(str, command))}: {ran.stderr.decode()}")
    return ran.stdout.decode()


def check_figures(name, got):
    span = got["window"]["end"] - got["window"]["start"]
    check(f"{name}: workers", len(got["workers"]), 4)
    for worker in got["workers"]:
        check(f"{name}: parts of {worker['name']}", sum(worker[part] or 0 for part in PARTS), span)
    shares = sum(round((got["shares"][part] or 0) * 1_000_000) for part in PARTS)
    check(f"{name}: shares", shares, 1_000_000)


def check_limits(name, got, recorder):
    notes, unknown = CANNOT[recorder]
    said = [note for note in got["notes"]]
    check(f"{name}: notes", [note for note, start in zip(said, notes) if note.startswith(start)], said)
    check(f"{name}: number of notes", len(said), len(notes))
    nulls = {key for key in ("parallel_efficiency", "communication_efficiency", "effective_workers")
             if got["metrics"][key] is None}
    nulls |= {"tasks"} if got["tasks"] is None else set()
    nulls |= {"tail"} if any(worker["tail"] is None for worker in got["workers"]) else set()
    check(f"{name}: not known", nulls, unknown)


def check_text(name, path):
    text = run(path)
    wide = [line for line in text.splitlines()[1:] if len(line) > 100]
    check(f"{name}: lines of more than 100 columns", wide, [])


def main():
    for recorder, scenarios in EXPECTED.items():
        for scenario, codes in scenarios.items():
            name = f"{scenario}.{recorder}"
            path = FOLDER / f"{name}.gz"
            printed = run("--format", "json", path)
            if not printed:
                continue
            got = json.loads(printed)
            check(f"{name}: diagnosis", [d["code"] for d in got["diagnosis"]], codes)
            check_figures(name, got)
            if scenario in ("tail", "chunks"):
                most = max(got["workers"], key=lambda worker: worker["useful"])
                check(f"{name}: whose fault", got["diagnosis"][0]["worker"], most["name"])
            check_limits(name, got, recorder)
            check_text(name, path)
            if got["tasks"]:
                tasks = got["tasks"]
                check(f"{name}: tasks", (tasks["count"], tasks["chunks"], tasks["per_chunk"]), TASKS[scenario])
    for name, codes in CONTENDED.items():
        path = FOLDER.parent / "contended" / f"{name}.gz"
        got = json.loads(run("--format", "json", path) or "{}")
        check(f"contended {name}", [d["code"] for d in got.get("diagnosis", [])], codes)
        check_text(f"contended {name}", path)
    print("\n".join(failures))
    print(f"{done} comparisons, {len(failures)} differ")
    return bool(failures) or not done


if __name__ == "__main__":
    sys.exit(main())
