#!/usr/bin/env python3
"""Writes traces of workers whose figures can be worked out by hand: see SOURCE."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
S = 1_000_000  # microseconds, as trace events have them


def work(pid, begin, end, name="work", tid=None):
    return {"ph": "X", "cat": "fee", "pid": pid, "tid": tid or pid, "ts": begin, "dur": end - begin, "name": name}


def equal():
    return [work(i, 0, 10 * S) for i in range(1, 5)]


def one_long():
    return [work(i, 0, (40 if i == 4 else 10) * S) for i in range(1, 5)]


def one_does_all():
    get = "SimpleQueue.get (/usr/lib/python3.11/multiprocessing/queues.py:363)"
    return [work(1, 0, 10 * S)] + [work(i, 0, 10 * S, get) for i in range(2, 5)]


def late():
    imports = "_find_and_load (<frozen importlib._bootstrap>:1167)"
    return [e for i in (1, 2) for e in (work(i, 0, 3 * S, imports), work(i, 3 * S, 4 * S))]


def pool(tasks, chunk_of):
    """A pool of two workers; tasks: (worker, begin, end) in ms, chunk_of: (worker, begin, end)."""
    lib = "/usr/lib/python3.11/multiprocessing/"
    events = [
        {"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "MainProcess"}},
        work(1, 0, 100_000, f"Pool.map ({lib}pool.py:362)"),
        work(1, 0, 100_000, f"ApplyResult.get ({lib}pool.py:767)")]
    for i in (2, 3):
        events += [{"ph": "M", "pid": i, "tid": i, "name": "process_name",
                    "args": {"name": f"ForkPoolWorker-{i - 1}"}},
                   work(i, 0, 100_000, f"worker ({lib}pool.py:97)")]
    for i in (2, 3):
        end = max(e for w, _, e in chunk_of if w == i) * 1000
        events.append(work(i, end, 100_000, f"SimpleQueue.get ({lib}queues.py:363)"))
    events += [work(w, b * 1000, e * 1000, f"mapstar ({lib}pool.py:47)") for w, b, e in chunk_of]
    events += [work(w, b * 1000, e * 1000, "task (/srv/app.py:3)") for w, b, e in tasks]
    return events


def long_task():
    tasks = [(2, i * 5, i * 5 + 5) for i in range(4)] + [(3, 0, 5), (3, 5, 95)]
    return pool(tasks, tasks)


def chunks():
    tasks = [(2, i * 5, i * 5 + 5) for i in range(4)] + [(3, i * 20, i * 20 + 20) for i in range(4)]
    return pool(tasks, [(2, 0, 20), (3, 0, 80)])


for make in (equal, one_long, one_does_all, late, long_task, chunks):
    text = ",\n".join(json.dumps(e) for e in make())
    (HERE / f"{make.__name__}.json").write_text(
        '{"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": [\n' + text + "\n]}\n")
