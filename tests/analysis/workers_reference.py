#!/usr/bin/env python3
"""profkit workers prints what the definitions give: for traces worked out by hand, and for random
ones, whose figures are computed a second way here: moment by moment, in fractions. Parts have the same numbers of each run,
in whatever groups and order they are added.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import log, sqrt

LIB = "/usr/lib/python3.11/multiprocessing/"
NAMES = {
    "useful": "f (/srv/app.py:3)",
    "overhead": f"SimpleQueue.put ({LIB}queues.py:369)",
    "startup": "_find_and_load (<frozen importlib._bootstrap>:1167)",
    "wait": f"SimpleQueue.get ({LIB}queues.py:363)",
    "blocked": "Condition.wait (/usr/lib/python3.11/threading.py:288)",
}
WORK = ("useful", "overhead", "startup", "tail", "wait")
failures = []

# Workers as (what, begin, end) in us, and what was worked out by hand; None: not defined.
HAND = {
    "a: equal": ([[("useful", 0, 10)]] * 4, {
        "load_balance": 1, "parallel_efficiency": 1, "gini": 0, "craypat_percent": 0,
        "code": "good"}),
    "b: one long": ([[("useful", 0, 10)]] * 3 + [[("useful", 0, 40)]], {
        "load_balance": .4375, "imbalance_percent": 128.571, "craypat_percent": 75,
        "imbalance_time": 22500, "gini": .321429, "parallel_efficiency": .4375,
        "tail_loss": .5625, "time_at": [0, 30000, 0, 0, 10000], "code": "static_imbalance"}),
    "c: one does all": ([[("useful", 0, 10)]] + [[("wait", 0, 10)]] * 3, {
        "load_balance": .25, "craypat_percent": 100, "gini": .75, "code": "static_imbalance"}),
    "d: late": ([[("startup", 0, 3), ("useful", 3, 4)]] * 2, {
        "startup_loss": .75, "load_balance": 1, "code": "startup"}),
    "two": ([[("useful", 0, 6)], [("useful", 0, 3)]], {
        "load_balance": .75, "imbalance_percent": 33.3333, "craypat_percent": 50,
        "gini": .166667, "cov": .333333, "tail_loss": .25, "parallel_efficiency": .75}),
    "one": ([[("useful", 0, 6)]], {
        "load_balance": 1, "craypat_percent": None, "gini": 0, "code": "not_enough_data"}),
    "stairs": ([[("useful", 0, n)] for n in (1, 2, 3, 4)], {
        "load_balance": .625, "imbalance_percent": 60, "craypat_percent": 50, "gini": .25,
        "cov": .447214, "tail_loss": .375}),
    "relay": ([[("useful", 0, 5)], [("useful", 5, 10)]], {
        "load_balance": 1, "communication_efficiency": .5, "parallel_efficiency": .5,
        "startup_loss": .25, "tail_loss": .25, "time_at": [0, 10000, 0]}),
    "pause": ([[("useful", 0, 4), ("useful", 6, 10)], [("useful", 0, 10)]], {
        "load_balance": .9, "parallel_efficiency": .9, "time_at": [0, 2000, 8000],
        "code": "good"}),
    "overlap, out of order": ([[("useful", 4, 10), ("useful", 0, 6)], [("useful", 0, 10)]], {
        "load_balance": 1, "parallel_efficiency": 1, "code": "good"}),
    "no time": ([[("useful", 0, 0)], [("useful", 0, 10)]], {
        "load_balance": .5, "gini": .5, "craypat_percent": 100}),
    "three": ([[("useful", 0, 2)], [("useful", 0, 2)], [("useful", 0, 5)]], {
        "load_balance": .6, "craypat_percent": 60, "gini": .222222, "imbalance_time": 2000}),
    "passing": ([[("useful", 0, 2), ("overhead", 2, 4)]] * 2, {
        "load_balance": 1, "parallel_efficiency": .5, "code": "overhead_tiny_tasks"}),
    "nothing": ([[("wait", 0, 4)]] * 2, {
        "load_balance": None, "gini": None, "parallel_efficiency": None,
        "code": "not_enough_data"}),
}


def trace(workers, parent=(), one_process=False):
    events = [{"ph": "M", "pid": 999, "tid": 999, "name": "process_name", "args": {"name": "Boss"}}] if parent else []
    events += [{"ph": "X", "cat": "fee", "pid": 999, "tid": 999, "ts": begin, "dur": end - begin,
                "name": NAMES[what]} for what, begin, end in parent]
    events += [{"ph": "X", "cat": "fee", "pid": 77 if one_process else i, "tid": i, "ts": begin, "dur": end - begin,
               "name": NAMES[what]}
              for i, spans in enumerate(workers, 1) for what, begin, end in spans]
    return {"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": events}


def run(text, *args):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text)
        file.flush()
        command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", "--by", "process", "--format", "json",
                   *args, file.name]
        ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        sys.exit(ran.stderr.decode())
    return json.loads(ran.stdout)


def profkit(workers, parent=()):
    return run(json.dumps(trace(workers, parent)), "--workers", "^process", "--main", "Boss")


def check(where, what, got, want):
    if isinstance(want, (Fraction, float)):
        want = float(f"{float(want):.6g}")
    if got != want:
        failures.append(f"{where}: {what} is {got}, should be {want}")


def states(spans, start, end):
    """What a worker does in each us: its innermost span, None without."""
    row = [None] * (end - start)
    for what, a, b in spans:  # what encloses comes first
        for t in range(a, b):
            row[t - start] = {"blocked": "wait"}.get(what, what)
    useful = [t for t, state in enumerate(row) if state == "useful"]
    for t, state in enumerate(row):
        if state in (None, "wait"):
            if not useful:
                row[t] = "wait"
            else:
                row[t] = ("startup" if t < useful[0] else
                          "tail" if t > useful[-1] else "wait")
    return row


def figures(rows, boss):
    p, length = len(rows), len(rows[0])
    u = [Fraction(row.count("useful")) for row in rows]
    mean, most = sum(u) / p, max(u)
    at = [0] * (p + 1)
    for t in range(length):
        at[sum(row[t] == "useful" for row in rows)] += 1000
    serial = [t for t in range(length) if boss and boss[t] == "useful" and
              sum(row[t] == "useful" for row in rows) <= 1]
    result = {"time_at": at, "workers": p, "serial_time": 1000 * len(serial) if boss else None,
              "sampling_error_percent": 0 if most else None, "significant": bool(most), "processors": None}
    lives = sorted(length - row[::-1].index("useful") - row.index("useful") for row in rows if "useful" in row)
    if most:
        result |= {
            "load_balance": mean / most,
            "communication_efficiency": most / length,
            "parallel_efficiency": mean / length,
            "imbalance_percent": (most / mean - 1) * 100,
            "imbalance_time": (most - mean) * 1000,
            "craypat_percent": (most - mean) / most * Fraction(p, p - 1) * 100,
            "cov": sqrt(sum((x - mean) ** 2 for x in u) / p) / mean,
            "gini": sum(abs(x - y) for x in u for y in u) / (2 * p * p * mean),
            "first_useful_share": Fraction(sum(row.index("useful") for row in rows if "useful" in row),
                                           len(lives) * length),
            "straggler_ratio": Fraction(lives[-1], lives[(len(lives) - 1) // 2]),
            "effective_workers": sum(u) / length,
            "tail_loss": Fraction(sum(row.count("tail") for row in rows), p * length),
            "startup_loss": Fraction(sum(row.count("startup") for row in rows), p * length),
        }
    return result


def random_worker():
    spans, t = [], random.randrange(30)
    for _ in range(random.randrange(1, 12)):
        what = random.choice(("useful", "useful", "useful", "overhead", "startup", "wait"))
        end = t + random.randrange(1, 40)
        spans.append((what, t, end))
        if what == "useful" and random.random() < .4 and end - t > 3:
            a = random.randrange(t, end)
            spans.append(("blocked", a, random.randrange(a + 1, end + 1)))
        t = end + random.choice((0, 0, random.randrange(20)))
    return spans


def check_random(seed):
    random.seed(seed)
    workers = [random_worker() for _ in range(random.randrange(2, 7))]
    parent = random_worker() if seed % 2 else []
    start = min(a for spans in workers + [parent] for _, a, _ in spans)
    end = max(b for spans in workers + [parent] for _, _, b in spans)
    rows = [states(spans, start, end) for spans in workers]
    got = profkit(workers, parent)
    wanted = figures(rows, states(parent, start, end) if parent else None)
    for key in got["metrics"]:
        check(f"random {seed}", key, got["metrics"][key], wanted.get(key))
    for row, worker in zip(rows, got["workers"]):
        for what in WORK:
            check(f"random {seed}", what, worker[what], row.count(what) * 1000)
    total = sum(Fraction(str(share)) for share in got["shares"].values())
    check(f"random {seed}", "sum of shares", total, 1)


def random_pool():
    """Chunks of tasks in us for each worker, and what passing one takes after it."""
    pool, events = [], []
    # What is long to pass is best passed in chunks larger than those of which each worker gets four.
    most_passing = random.choice((50, 5000))
    for pid in range(2, random.randrange(4, 8)):
        t, chunks = 0, []
        for _ in range(random.randrange(1, 12)):
            chunk = [random.randrange(1, 500) for _ in range(random.randrange(1, 6))]
            passing = random.randrange(0, most_passing)
            events.append((pid, f"mapstar ({LIB}pool.py:47)", t, t + sum(chunk)))
            for duration in chunk:
                events.append((pid, "task (/srv/app.py:3)", t, t + duration))
                t += duration
            events.append((pid, NAMES["overhead"], t, t + passing))
            t += passing
            chunks.append((chunk, passing))
        events.append((pid, f"worker ({LIB}pool.py:97)", 0, t))
        pool.append(chunks)
    events.sort(key=lambda e: (e[0], e[2], -e[3], not e[1].startswith("worker"), e[1].startswith("task")))
    return pool, events


def model(n, m, sigma, p, h, c):
    return n * m / p + n * h / (c * p) + c * m / 2 + sigma * sqrt(2 * c * log(p))


def check_tasks(seed):
    random.seed(1000 + seed)
    pool, events = random_pool()
    text = json.dumps({"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": [
        {"ph": "X", "cat": "fee", "pid": pid, "tid": pid, "name": name, "ts": a, "dur": b - a}
        for pid, name, a, b in events]})
    got = run(text)["tasks"]
    chunks = [chunk for worker in pool for chunk in worker]
    tasks = sorted(d * 1000 for chunk, _ in chunks for d in chunk)
    n, p, mean = len(tasks), len(pool), Fraction(sum(tasks), len(tasks))
    passing = sum(each for _, each in chunks) * 1000
    sigma = sqrt(sum((d - mean) ** 2 for d in tasks) / (n - 1)) if n > 1 else 0.0
    want = {"count": n, "chunks": len(chunks), "per_chunk": max(len(chunk) for chunk, _ in chunks), "min": tasks[0],
            "median": tasks[(n - 1) // 2], "max": tasks[-1], "mean": mean, "stddev": sigma, "overhead": passing // n,
            "best_chunk": None, "gain": None}
    most = n // (4 * p)
    if n >= 8 and most:
        sizes = sorted({c for c in (2 ** i for i in range(20)) if c <= most} | {most})
        times = {c: model(n, float(mean), sigma, p, passing / len(chunks), c) for c in sizes}
        want["best_chunk"] = min(sizes, key=times.get)
        now = model(n, float(mean), sigma, p, passing / len(chunks), want["per_chunk"])
        want["gain"] = max(0.0, (now - times[want["best_chunk"]]) / now)
    for key in got:
        check(f"tasks {seed}", key, got[key], want[key])


def check_samples(seed):
    random.seed(2000 + seed)
    u = [random.randrange(20, 400) for _ in range(random.randrange(2, 7))]
    got = run("".join(f'process {i}:"w";f (x.py:1) {n}\n' for i, n in enumerate(u, 1)), "-f", "py-spy")
    share = Fraction(max(u), sum(u))
    error = 2 * sqrt(share * (1 - share) / sum(u)) * len(u) * 100
    imbalance = (share * len(u) - 1) * 100
    check(f"samples {seed}", "error", got["metrics"]["sampling_error_percent"], error)
    check(f"samples {seed}", "imbalance", got["metrics"]["imbalance_percent"], imbalance)
    check(f"samples {seed}", "significant", got["metrics"]["significant"], imbalance > error)
    if sum(u) >= 30 * len(u) and imbalance <= error:
        check(f"samples {seed}", "diagnosis", got["diagnosis"][0]["code"], "good")


def merge_parts(rng, folder, paths):
    """The part of files: in random groups and order, added two or more at a time."""
    binary = os.environ.get("PROFKIT", "./profkit")
    paths, parts = list(paths), []
    rng.shuffle(paths)
    while paths or len(parts) > 1:
        part = os.path.join(folder, f"part{rng.random()}.db")
        source = paths if paths and (len(parts) < 2 or rng.random() < .7) else parts
        count = rng.randint(min(len(source), 1 if source is paths else 2), min(len(source), 4))
        subprocess.run([binary, "reduce" if source is paths else "merge", "-q", "-o", part, *source[:count]], check=True)
        del source[:count]
        parts.insert(rng.randint(0, len(parts)), part)
    return parts[0]


PARTS_SQL = """select n.text as run, by, process, thread, step, useful, overhead, startup, tail, wait from worker w
    join member on member.id = w.member join string n on n.id = member.name
    where by in (%s)"""


def rows_of_part(part, *kinds):
    """The times of workers by run, kind, process, thread and step."""
    ran = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "query", "-q", "--format", "json", part,
                          PARTS_SQL % ", ".join(f"'{kind}'" for kind in kinds)], capture_output=True, check=True)
    return {(row["run"], row["by"], row["process"], row["thread"], row["step"]): {what: row[what] for what in WORK}
            for row in json.loads(ran.stdout)["rows"]}


def check_rows(where, got, wanted):
    for key, want in wanted.items():
        check(where, key, got.pop(key, None), want)
    check(where, "other workers", got, {})


def check_parts(seed):
    """The table worker of several runs, each of which has processes, or threads of one: each has the window of its run."""
    random.seed(3000 + seed)
    with tempfile.TemporaryDirectory() as folder:
        wanted = {}
        for number in range(random.randrange(2, 8)):
            workers = [random_worker() for _ in range(random.randrange(2, 7))]
            by = random.choice(("process", "thread"))
            path = os.path.join(folder, f"run{number}.json")
            text = json.dumps(trace(workers, one_process=by == "thread"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            # one may behave like the parent of the others
            shown = {w[by] for w in run(text, "--by", by)["workers"] if w["role"] == "worker"}
            check(f"parts {seed}", "workers", len(shown) >= len(workers) - 1, True)
            start, end = min(a for w in workers for _, a, _ in w), max(b for w in workers for _, _, b in w)
            for i, spans in enumerate(workers, 1):
                row = states(spans, start, end)
                if i in shown:
                    key = (path, by, i, None, None) if by == "process" else (path, by, 77, i, None)
                    wanted[key] = {what: row.count(what) * 1000 for what in WORK}
        got = rows_of_part(merge_parts(random, folder, dict.fromkeys(key[0] for key in wanted)), "process", "thread")
    check_rows(f"parts {seed}", got, wanted)


COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def random_rank(rank):
    """Work of a GPU on two streams as (what, begin, end), steps as (number, begin, end), and the trace of both."""
    work, steps, t = [], [], random.randrange(30)
    for stream in range(2):
        at = random.randrange(40)
        for _ in range(random.randrange(2, 12)):
            end = at + random.randrange(1, 40)
            work.append((random.choice(("useful", "useful", "overhead", "wait")), at, end, stream))
            at = end + random.choice((0, 0, random.randrange(20)))
    for number in range(random.randrange(1, 5)):
        end = t + random.randrange(1, 90)
        steps.append((number, t, end))
        t = end + random.choice((0, random.randrange(20)))
    kinds = {"useful": ("kernel", "gemm"), "overhead": ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)"),
             "wait": ("kernel", COLLECTIVE)}
    events = [{"name": "process_labels", "ph": "M", "ts": 0, "pid": pid, "tid": 0, "args": {"labels": labels}}
              for pid, labels in ((4200, "CPU"), (0, "GPU 0"))]
    events += [{"ph": "X", "cat": kinds[what][0], "name": kinds[what][1], "pid": 0, "tid": 7 + stream, "ts": begin,
                "dur": end - begin, "args": {}} for what, begin, end, stream in work]
    events += [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "pid": 4200, "tid": 4200,
                "ts": begin, "dur": end - begin, "args": {}} for number, begin, end in steps]
    head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 1}],
            "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 9}}
    return work, steps, json.dumps({**head, "traceEvents": events})


def check_ranks(seed):
    """The rows of ranks: a run as a whole, and each of its steps. Kernels count before transfers, these before collectives."""
    random.seed(4000 + seed)
    with tempfile.TemporaryDirectory() as folder:
        wanted = {}
        for rank in range(random.randrange(2, 7)):
            work, steps, text = random_rank(rank)
            path = os.path.join(folder, f"rank{rank}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            start, end = min(begin for _, begin, _, _ in work), max(end for _, _, end, _ in work)
            order = sorted(work, key=lambda span: ("wait", "overhead", "useful").index(span[0]))
            row = states([span[:3] for span in order], start, end)
            wanted[path, None] = {what: row.count(what) * 1000 for what in WORK}
            for number, begin, end in steps:
                part = row[max(begin - start, 0):max(end - start, 0)]
                wanted[path, number] = {what: part.count(what) * 1000 for what in WORK}
        got = rows_of_part(merge_parts(random, folder, dict.fromkeys(path for path, _ in wanted)), "rank")
    check_rows(f"ranks {seed}", {(key[0], key[4]): value for key, value in got.items()}, wanted)


def check_hand(name, workers, wanted):
    got = profkit(workers)
    for key, want in wanted.items():
        value = got["diagnosis"][0]["code"] if key == "code" else got["metrics"][key]
        check(name, key, value, want)


def check_many():
    """10,000 workers: the extremes and the distribution."""
    got = profkit([[("useful", 0, 1 + i % 10)] for i in range(10_000)])
    check("many", "workers", got["metrics"]["workers"], 10_000)
    check("many", "load_balance", got["metrics"]["load_balance"], .55)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(trace([[("useful", 0, 1 + i % 10)] for i in range(10_000)])))
        file.flush()
        text = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "workers", "-q", file.name],
                              capture_output=True).stdout.decode()
    check("many", "lines", len(text.splitlines()) < 60, True)
    check("many", "distribution", "median 5.000 us" in text, True)


for case, (spans_of, expected) in HAND.items():
    check_hand(case, spans_of, expected)
for number in range(150):
    check_random(number)
for number in range(60):
    check_tasks(number)
    check_samples(number)
for number in range(20):
    check_parts(number)
    check_ranks(number)
check_many()
print("\n".join(failures[:20]))
print(f"{len(HAND)} traces by hand, 270 random ones, 40 parts of several, {len(failures)} figures differ")
sys.exit(bool(failures))
