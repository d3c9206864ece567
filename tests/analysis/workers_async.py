#!/usr/bin/env python3
"""Tasks of asyncio, which viztracer records as threads: they are no workers, and what they wait for is told.

The trace is laid out as viztracer --log_async writes it for Python 3.11; figures were worked out by hand, in us.
"""
import json
import os
import subprocess
import sys
import tempfile

ASYNCIO = "/usr/lib/python3.11/asyncio/"
NAMES = {"run_once": f"BaseEventLoop._run_once ({ASYNCIO}base_events.py:1845)",
         "select": "EpollSelector.select (/usr/lib/python3.11/selectors.py:451)",
         "run": f"Handle._run ({ASYNCIO}events.py:78)", "client": "client (/srv/app.py:3)",
         "handle": "handle (/srv/app.py:9)", "sleep": f"sleep ({ASYNCIO}tasks.py:637)",
         "readline": f"StreamReader.readline ({ASYNCIO}streams.py:544)",
         "wait": f"StreamReader._wait_for_data ({ASYNCIO}streams.py:516)", "len": "builtins.len",
         "thread": "Thread.run (/usr/lib/python3.11/threading.py:982)", "work": "work (/srv/app.py:20)"}
LOOP, CLIENT, HANDLE, THREAD, SHORT = 1, 101, 102, 2, 3
SPANS = {
    LOOP: [("run_once", 0, 75), ("select", 0, 10), ("run", 10, 30), ("run", 30, 70),
           ("run_once", 75, 200), ("select", 75, 100), ("run", 110, 130), ("run", 130, 190)],
    # Awaits sleep; the loop knows at 100 that it can go on, but the other one is first.
    CLIENT: [("client", 10, 30), ("len", 11, 12), ("sleep", 20, 29), ("client", 130, 190), ("sleep", 131, 133),
             ("len", 140, 141)],
    # Awaits data below readline, then returns; len is the last call of one step and the first of the other.
    HANDLE: [("handle", 30, 70), ("readline", 50, 69), ("wait", 55, 68), ("len", 60, 61),
             ("handle", 110, 130), ("readline", 111, 120), ("wait", 112, 115), ("len", 113, 114)],
    THREAD: [("thread", 5, 195), ("work", 6, 190)],  # across callbacks
    SHORT: [("thread", 12, 28), ("work", 13, 27)],  # within one
}
# Awaits sleep for 40 us and then data for 10: the longer of them is told.
TWICE = {
    LOOP: [("run", 0, 10), ("select", 10, 50), ("run", 50, 60), ("select", 60, 70), ("run", 70, 80)],
    CLIENT: [("client", 0, 10), ("sleep", 1, 9), ("client", 50, 60), ("sleep", 51, 52), ("wait", 53, 59),
             ("client", 70, 80), ("wait", 71, 72)],
}
TASKS = [  # as shown, by the time they run
    {"task": "Task-1", "loop": "MainThread", "start": 10, "end": 190, "running": 80, "waiting": 70, "resumable": 30,
     "steps": 2, "longest": 60, "longest_in": "client (app.py:3)", "awaits": "sleep (tasks.py:637)"},
    {"task": "reader", "loop": "MainThread", "start": 30, "end": 130, "running": 60, "waiting": 30, "resumable": 10,
     "steps": 2, "longest": 40, "longest_in": "handle (app.py:9)", "awaits": "StreamReader._wait_for_data (streams.py:516)"},
]
failures = []


def profkit(spans, *args, status=0):
    names = {LOOP: "MainThread", CLIENT: "Task-1", HANDLE: "reader", THREAD: "Thread-1", SHORT: "Thread-2"}
    events = [{"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": names.get(tid, "")}} for tid in spans]
    events += [{"ph": "X", "cat": "fee", "pid": 1, "tid": tid, "ts": begin, "dur": end - begin, "name": NAMES[what]}
               for tid, each in spans.items() for what, begin, end in each]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": events}, file)
        file.flush()
        command = [os.environ.get("PROFKIT", "./profkit"), args[0], "-q", "--format", "json", *args[1:], file.name]
        ran = subprocess.run(command, capture_output=True, check=False)
    if ran.returncode != status:
        sys.exit(f"{' '.join(command)}: {ran.returncode}, {ran.stderr.decode()}")
    return json.loads(ran.stdout) if not status else ran.stderr.decode()


def check(what, got, want):
    if got != want:
        failures.append(f"{what}: {got}, should be {want}")


def main():
    times = {"start", "end", "running", "waiting", "resumable", "longest"}
    got = profkit(SPANS, "workers", "--by", "task")
    check("tasks", got["rows"], [{k: v * 1000 if k in times else v for k, v in task.items()} for task in TASKS])
    check("loop", [got["window"], got["running"], got["polling"]], [200_000, 140_000, 35_000])
    got = profkit(SPANS, "workers")
    check("workers", [worker["name"] for worker in got["workers"]], ["MainThread (1)", "Thread-1 (2)", "Thread-2 (3)"])
    check("note", sum("2 tasks of asyncio" in note for note in got["notes"]), 1)
    alone = {tid: spans for tid, spans in SPANS.items() if tid not in (THREAD, SHORT)}
    got = profkit(alone, "workers")
    check("alone", [d["text"] for d in got["diagnosis"]],
          ["2 tasks of asyncio take turns in one thread, so that no work is shared."])
    got = profkit(SPANS, "hotspots", "--by-worker", "--by", "task")
    check("hotspots", got["workers"], ["Task-1", "reader"])
    threads = {tid: spans for tid, spans in SPANS.items() if tid not in (CLIENT, HANDLE)}
    check("none", "viztracer --log_async" in profkit(threads, "workers", "--by", "task", status=2), True)
    got = profkit(TWICE, "workers", "--by", "task")
    check("twice", [got["rows"][0][key] for key in ("waiting", "awaits")], [50_000, "sleep (tasks.py:637)"])
    long = {}  # sums over loops are beyond 64 bits
    for i in range(20):
        begin, end = 100 * i, 2 * 10 ** 15 + 100 * i
        long[1000 + i] = [("run", begin, begin + 10), ("select", begin + 20, end - 20), ("run", end - 10, end)]
        long[2000 + i] = [("client", begin, begin + 10), ("client", end - 10, end)]
    got = profkit(long, "workers", "--by", "task")
    check("long", [got["window"], got["polling"]], [2 ** 63 - 1] * 2)
    print("\n".join(failures))
    print(f"10 results, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
