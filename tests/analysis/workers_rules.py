#!/usr/bin/env python3
"""Each rule of profkit workers: a trace that it is about, and one that it is just not about.

Traces are a pool as viztracer sees it, in ms; the numbers behind every diagnosis were worked out by
hand from its definition in profkit-workers(1).
"""
import json
import os
import re
import subprocess
import sys
import tempfile

LIB = "/usr/lib/python3.11/multiprocessing/"
NAMES = {
    "task": "task (/srv/app.py:3)",
    "chunk": f"mapstar ({LIB}pool.py:47)",
    "get": f"SimpleQueue.get ({LIB}queues.py:363)",
    "put": f"SimpleQueue.put ({LIB}queues.py:369)",
    "pickle": f"ForkingPickler.dumps ({LIB}reduction.py:50)",
    "lock": "_thread.lock.acquire",
    "import": "_find_and_load (<frozen importlib._bootstrap>:1167)",
    "result": f"ApplyResult.get ({LIB}pool.py:767)",
    "own": "prepare (/srv/app.py:9)",
}
MS = 1_000_000


def event(pid, what, begin, end):
    return {"ph": "X", "cat": "fee", "pid": pid, "tid": pid, "ts": begin * 1000, "dur": (end - begin) * 1000,
            "name": NAMES.get(what, what)}


def pool(length, workers, parent=()):
    """Workers and their parent as (what, begin, end), what encloses another before it."""
    events = []
    for pid in range(1, len(workers) + 2):
        name = f"ForkPoolWorker-{pid - 1}" if pid > 1 else "MainProcess"
        events.append({"ph": "M", "pid": pid, "tid": pid, "name": "process_name", "args": {"name": name}})
        events.append(event(pid, f"worker ({LIB}pool.py:97)" if pid > 1 else "main (/srv/app.py:1)", 0, length))
    events += [event(1, *span) for span in parent or [("result", 0, length)]]
    for pid, spans in enumerate(workers, 2):
        at = 0
        for what, begin, end in spans:  # without a span a worker waits for tasks
            if begin > at:
                events.append(event(pid, "get", at, begin))
            events.append(event(pid, what, begin, end))
            at = max(at, end)
        if at < length:
            events.append(event(pid, "get", at, length))
    events.sort(key=lambda e: (e["pid"], e.get("ts", -1), -e.get("dur", 0)))
    return {"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": events}


def row(what, length, count, begin=0):
    return [(what, begin + i * length, begin + (i + 1) * length) for i in range(count)]


def inside(what, length, spans):
    """Each span begins with one of these."""
    return [s for span in spans for s in (span, (what, span[1], span[1] + length))]


def threads(*workers):
    """Threads of one process, each a list of (function, begin, end) in ms."""
    return {"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": [
        event(1, *span) | {"tid": tid} for tid, spans in enumerate(workers, 2) for span in spans]}


# Name, trace, arguments, what it says first, and the numbers behind that.
CASES = [
    # One worker takes twice as long for tasks that are the same: tail 3 * 80 of 4 * 160.
    ("slow worker", pool(160, [row("task", 10, 8)] * 3 + [row("task", 20, 8)]), [], ["tail_slow_worker"],
     {"tail_loss": .375, "tail_time": 80 * MS, "after_median": 80 * MS, "load_balance": .625,
      "longest_task": 20 * MS, "task_median": 10 * MS, "tasks_per_chunk": 1}),
    # 12 is not 1.3 times 10: tail 3 * 80 of 4 * 480, balance 420 / 480.
    ("not slow enough", pool(480, [row("task", 10, 40)] * 3 + [row("task", 12, 40)]), [], ["static_imbalance"],
     {"tail_loss": .125, "tail_time": 80 * MS, "load_balance": .875}),
    # The last task is half of the tail of 40.
    ("long task", pool(60, [row("task", 5, 4)] * 3 + [row("task", 5, 8) + [("task", 40, 60)]]), [],
     ["tail_long_task"], {"tail_loss": .5, "tail_time": 40 * MS, "longest_task": 20 * MS}),
    # 19 is less than half: it had more to do.
    ("not long enough", pool(60, [row("task", 5, 4)] * 3 + [row("task", 2, 20) + [("task", 40, 59)]]), [],
     ["static_imbalance"], {"tail_time": 39 * MS, "longest_task": 19 * MS, "tasks_per_chunk": 1}),
    # One chunk each, and one of them four times as long: all of the tail.
    ("chunks", pool(80, [[("chunk", 0, 20)] + row("task", 5, 4), [("chunk", 0, 80)] + row("task", 20, 4)]), [],
     ["tail_chunks"], {"tail_loss": .375, "tail_time": 60 * MS, "tasks_per_chunk": 4}),
    # Twenty chunks each, all twice as long on one: a chunk is a tenth of the tail.
    ("small chunks", pool(800, [[s for i in range(20) for s in [("chunk", i * t, i * t + t)] + row("task", t / 2, 2, i * t)]
                                for t in (20, 40)]), [],
     ["tail_slow_worker"], {"tail_loss": .25, "tail_time": 400 * MS, "tasks_per_chunk": 2}),
    # 20 of 200 are a tail; 19 are none.
    ("tail", pool(100, [row("task", 20, 2) + [("task", 52, 66), ("task", 66, end)] for end in (80, 100)]), [],
     ["tail_long_task"], {"tail_loss": .1, "tail_time": 20 * MS, "longest_task": 34 * MS, "load_balance": 78 / 88}),
    ("short tail", pool(100, [row("task", 20, 2) + [("task", 52, 66), ("task", 66, end)] for end in (81, 100)]), [],
     ["mixed"], {"useful": .785, "tail": .095, "wait": .12}),
    # A lock takes 10 of 20 in each of 20 tasks.
    ("lock", pool(100, [inside("lock", 10, row("task", 20, 5))] * 4), [], ["overhead_lock"],
     {"overhead_of_busy": .5, "lock": 200 * MS, "serialise": 0, "transfer": 0, "tasks": 20,
      "task_median": 20 * MS, "task_overhead": 10 * MS}),
    ("short lock", pool(100, [inside("lock", 4, row("task", 20, 5))] * 4), [], ["good"],
     {"parallel_efficiency": .8, "load_balance": 1}),
    # After each task of 6 results are pickled for 3 and put for 1.
    ("payload", pool(100, [[(w, a + 10 * i, b + 10 * i) for i in range(10)
                            for w, a, b in (("task", 0, 6), ("pickle", 6, 9), ("put", 9, 10))]] * 2), [],
     ["overhead_payload"],
     {"overhead_of_busy": .4, "serialise": 60 * MS, "transfer": 20 * MS, "tasks": 20, "task_median": 6 * MS,
      "task_overhead": 4 * MS}),
    ("little payload", pool(100, [[(w, a + 10 * i, b + 10 * i) for i in range(10)
                                   for w, a, b in (("task", 0, 7), ("pickle", 7, 9))]] * 2), [],
     ["mixed"], {"useful": .7, "overhead": .2, "tail": .01, "wait": .09}),
    # Tasks of 0.25 and 0.75 to pass each.
    ("tiny tasks", pool(100, [[(w, a + i, b + i) for i in range(100)
                               for w, a, b in (("task", 0, .25), ("put", .25, 1))]] * 2), [],
     ["overhead_tiny_tasks"],
     {"overhead_of_busy": .75, "transfer": 150 * MS, "tasks": 200, "task_median": 250_000,
      "task_overhead": 750_000}),
    ("not so tiny", pool(100, [[(w, a + i, b + i) for i in range(100)
                                for w, a, b in (("task", 0, .8), ("put", .8, 1))]] * 2), [],
     ["good"], {"parallel_efficiency": .8}),
    # Workers import for 30 of 100; for 29.
    ("start-up", pool(100, [[("import", 0, 30)] + row("task", 7, 10, 30)] * 2), [], ["startup"],
     {"startup": .3, "first_useful_share": .3, "parent_serial": 0}),
    ("short start-up", pool(100, [[("import", 0, 29)] + row("task", 7, 10, 29)] * 2), [], ["mixed"],
     {"startup": .29, "useful": .7, "tail": .01}),
    # The parent prepares for 25 of 100, while workers cannot begin: that is not their start-up.
    ("serial", pool(100, [row("task", 7.5, 10, 25)] * 4, [("own", 0, 25), ("result", 25, 100)]), [],
     ["serial_section"], {"serial": .25, "serial_time": 25 * MS, "amdahl_bound": 1 / (.25 + .75 / 4)}),
    # For 19, and 6 without tasks at the end.
    ("less serial", pool(100, [row("task", 7.5, 10, 19)] * 4, [("own", 0, 19), ("result", 19, 100)]), [],
     ["mixed"], {"startup": .19, "tail": .06, "useful": .75}),
    # Two of four in turn have a task, while the parent makes more for 70 of 100.
    ("starved", pool(100, [[("task", a, a + 10) for a in range(first, 100, 20)] for first in (0, 0, 10, 10)],
                     [("own", 0, 70), ("result", 70, 100)]), [], ["starved"], {"wait": .4, "parent_busy": .7}),
    ("parent not busy", pool(100, [[("task", a, a + 10) for a in range(first, 100, 20)] for first in (0, 0, 10, 10)],
                             [("own", 0, 69), ("result", 69, 100)]), [], ["waiting"], {"wait": .4, "waited": 1}),
    # All are there at the end, but three wait for 60 in the middle: 3 * 40 + 100 of 400.
    ("static imbalance", pool(100, [row("task", 10, 3) + row("task", 10, 1, 90)] * 3 + [row("task", 10, 10)]), [],
     ["static_imbalance"], {"load_balance": .55, "imbalance_percent": (1 / .55 - 1) * 100,
                            "imbalance_time": 45 * MS, "sampling_error": 0}),
    # 80 of 100 on average is no imbalance to speak of, though not good.
    ("balance", pool(100, [row("task", 10, 2) + row("task", 10, 4, 60)] * 2 + [row("task", 10, 10)] * 2), [],
     ["mixed"], {"useful": .8, "wait": .2}),
    # Good from 0.9 and 0.8 on.
    ("good", pool(100, [row("task", 8, 10), row("task", 10, 10)]), [], ["good"],
     {"load_balance": .9, "parallel_efficiency": .9}),
    ("just not good", pool(100, [row("task", 7.9, 10)] * 2), [], ["mixed"], {"useful": .79, "tail": .21}),
    # Four at work on two processors, on three: half, a quarter can only have waited for one.
    ("oversubscribed", pool(100, [row("task", 10, 10)] * 4), ["--cpus", "2"], ["oversubscribed"],
     {"processors": 2, "workers": 4, "most_at_once": 4, "effective_workers": 4, "excess": .5}),
    ("enough processors", pool(100, [row("task", 10, 10)] * 4), ["--cpus", "4"], ["good"],
     {"parallel_efficiency": 1}),
    # Two of three at work beside a third for 20 of 100: 20 of 220, less than a tenth.
    ("hardly", pool(100, [row("task", 10, 10)] * 2 + [row("task", 10, 2)]), ["--cpus", "2"], ["static_imbalance"],
     {"tail_loss": 80 / 300}),
    # Threads of one process share an interpreter: 90 of 190 can only have waited for it; of C code nothing is known.
    ("threads of Python", threads([("own", 0, 100)], [("task", 0, 90)]), [], ["gil"],
     {"workers": 2, "most_at_once": 2, "gil_excess": 90 / 190, "useful": .95}),
    ("code in C", threads([("_hashlib.HASH.update", 0, 100)], [("zlib.compress", 0, 90)]), [], ["good"], {}),
    ("in turns", threads([("own", 0, 50), ("time.sleep", 50, 80), ("own", 80, 90)],
                         [("time.sleep", 0, 50), ("own", 50, 80), ("time.sleep", 80, 90)]), [],
     ["static_imbalance"], {}),
    # A lock of the program, outside of a pool: the workers wait as well.
    ("own lock", threads([("own", 0, 40), ("lock", 40, 80), ("own", 80, 100)],
                         [("own", 0, 10), ("time.sleep", 10, 50), ("own", 50, 80), ("lock", 80, 100)]), [],
     ["overhead_lock", "gil"], {"overhead_of_busy": 60 / 160, "lock": 60 * MS}),
    # Each has the lock in turn, seen from outside; by chance 1 - .75^3 of the time would be beside another.
    ("turns", pool(160, [[("task", first + 40 * i, first + 40 * i + 10) for i in range(4)] for first in (0, 10, 20, 30)]),
     [], ["taking_turns"], {"together": 0, "by_chance": 1 - .75 ** 3}),
    # What is lost most comes first: 80 of 100 asleep, and the interpreter for the rest.
    ("asleep", threads(*[[("own", 0, 10), ("time.sleep", 10, 90), ("own", 90, 100)]] * 2), [], ["waiting", "gil"],
     {"wait": .8, "waited": 1}),
    ("one worker", pool(100, [row("task", 10, 10)]), [], ["not_enough_data"], {"workers": 1}),
]
FOLDED = [  # samples of two workers
    ("few samples", 30, 29, ["not_enough_data"]), ("enough samples", 30, 30, ["good"]),
    # 40 of 60: 33 % over the mean, and 2 sqrt(2/3 * 1/3 / 60) * 2 = 24 % is the error.
    ("imbalance", 40, 20, ["static_imbalance"]),
    # 37 of 60: 23 %, and 2 sqrt(.617 * .383 / 60) * 2 = 25 %.
    ("within the error", 37, 23, ["good"]),
]
# Samples of threads without times do not tell when they ran.
THREADS = "".join(f"process 1:\"a\";thread ({tid}): t;f (x.py:1) 50\n" for tid in (7, 8))
# perf: six share two processors; only where it says so are they known.
PERF_HEADER = "# ========\n# nrcpus online : 2\n# ========\n#\n"


def perf(workers, processors, length):
    lines = []
    for t in range(length):
        for cpu in range(processors):
            tid = 11 + (t // 10 * processors + cpu) % workers
            lines.append(f"busy 10/{tid} [{cpu:03}] {100 + t / 100:.6f}: 10000000 cpu-clock: \n"
                         f"\t5581 work+0x1 (/srv/busy)\n\t5582 main+0x1 (/srv/busy)\n\n")
    return "".join(lines)


failures = []


def run(text, *args):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", "--format", "json", *args, file.name]
        ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}: {ran.stderr.decode()}")
    return json.loads(ran.stdout)["diagnosis"]


def check(name, what, got, want):
    if isinstance(want, float):
        want = float(f"{want:.6g}")
    if got != want:
        failures.append(f"{name}: {what} is {got}, should be {want}")


def check_names():
    """Every figure that a rule names exists: a name is looked up only when its rule gets that far."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/analysis/workers/")
    with open(folder + "figures.c", encoding="utf-8") as file:
        names = set(re.findall(r'put(?:_time)?\(f, "(\w+)"', file.read()))
    names |= {"useful", "overhead", "startup", "tail", "wait", "worker", "waiting"}
    with open(folder + "rules.c", encoding="utf-8") as file:
        rules = re.sub(r'"\s*\\?\n\s*"', "", file.read())
    table = rules[rules.index("#define HOW_TO_FIND_WORKERS"):rules.index("const char *const pk_work_clocks")]
    used = set(re.findall(r"\{(\w+)[%#.}]", table))
    for text in re.findall(r'"([^"]*)"', table):
        words = re.findall(r"[a-z_]{2,}", text)
        if re.search(r" (<|>|<=|>=) ", text) or re.fullmatch(r" ?[a-z]+(_[a-z]+)*( [a-z]+(_[a-z]+)*)*", text) and "_" in text:
            used |= set(words)
    codes = set(re.findall(r'"([a-z]+_[a-z_]+)"', table)) - names
    check("rules.c", "names without a figure", used - names - codes, set())
    check("rules.c", "names found", len(used) > 50, True)


def main():
    seen = set()
    check_names()
    for name, trace, args, codes, evidence in CASES:
        got = run(json.dumps(trace), *args)
        check(name, "diagnosis", [d["code"] for d in got], codes)
        seen |= set(codes)
        for key, want in evidence.items():
            check(name, key, got[0]["evidence"].get(key), want)
    for name, a, b, codes in FOLDED:
        got = run(f'process 1:"a";f (x.py:1) {a}\nprocess 2:"a";f (x.py:1) {b}\n', "-f", "py-spy")
        check(name, "diagnosis", [d["code"] for d in got], codes)
    got = run('process 1:"a";f (x.py:1) 40\nprocess 2:"b";f (x.py:1) 20\n', "-f", "py-spy")
    check("two programs", "diagnosis", [d["code"] for d in got], ["different_work"])
    check("sums of threads", "diagnosis", [d["code"] for d in run(THREADS, "-f", "py-spy")], ["gil"])
    samples = perf(6, 2, 600)
    check("perf", "diagnosis", [d["code"] for d in run(PERF_HEADER + samples, "--workers", ".")], ["oversubscribed"])
    check("perf, not known", "diagnosis", [d["code"] for d in run(samples, "--workers", ".")], ["waiting"])
    print("\n".join(failures))
    print(f"{len(CASES) + len(FOLDED) + 4} traces, {len(seen)} diagnoses, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
