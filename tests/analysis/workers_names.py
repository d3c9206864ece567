#!/usr/bin/env python3
"""Who is a worker: pools as profilers show them, with the names that real recordings of them have.

Modelled on recordings of small programs by viztracer 1.1.1, py-spy 0.4 and perf 6.1 with Python 3.11,
joblib 1.5, dask 2025 and libgomp; numbers are small and round instead.
"""
import json
import os
import subprocess
import sys
import tempfile

PY = "/usr/lib/python3.11/"
SITE = "/usr/lib/python3.11/site-packages/"
TASK = "burn (/srv/burn.py:2)"
RUN = f"BaseProcess.run ({PY}multiprocessing/process.py:103)"
THREAD = f"Thread.run ({PY}threading.py:971)"
POOL = f"worker ({PY}multiprocessing/pool.py:97)"
MAPSTAR = f"mapstar ({PY}multiprocessing/pool.py:47)"
PROCESS_WORKER = f"_process_worker ({PY}concurrent/futures/process.py:225)"
THREAD_WORKER = f"_worker ({PY}concurrent/futures/thread.py:69)"
ITEM = f"_WorkItem.run ({PY}concurrent/futures/thread.py:53)"
BATCH = [f"BatchedCalls.__call__ ({SITE}joblib/parallel.py:603)",
         f"BatchedCalls.__call__.<locals>.<listcomp> ({SITE}joblib/parallel.py:607)"]
DASK = [f"batch_execute_tasks ({SITE}dask/local.py:266)",
        f"batch_execute_tasks.<locals>.<listcomp> ({SITE}dask/local.py:270)",
        f"execute_task ({SITE}dask/local.py:246)", f"Task.__call__ ({SITE}dask/_task_spec.py:753)"]
WAITING = [f"Pool.map ({PY}multiprocessing/pool.py:362)", f"ApplyResult.get ({PY}multiprocessing/pool.py:767)"]
FUTURE = [f"Future.result ({PY}concurrent/futures/_base.py:428)"]
JOIN = [f"Thread.join ({PY}threading.py:1087)"]
CHILDREN = [f"BaseProcess.join ({PY}multiprocessing/process.py:142)"]
MAIN = ["<module> (/srv/app.py:1)"]
HANDLERS = [[THREAD, f"Pool._handle_{what} ({PY}multiprocessing/pool.py:500)"]
            for what in ("workers", "tasks", "results")]


class Trace:
    """Threads with a stack that lasts 1000 us each, and tasks of 80 in it."""

    def __init__(self):
        self.events = []

    def name(self, kind, pid, tid, name):
        self.events.append({"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": name}})

    def thread(self, pid, tid, name, outer, inner=(), tasks=0):
        self.name("thread_name", pid, tid, name)
        spans = [(frame, k, 1000 - k) for k, frame in enumerate(outer)]
        spans += [(frame, 100 * i + 20 + k, 100 * i + 100 - k) for i in range(tasks) for k, frame in enumerate(inner)]
        self.events += [{"ph": "X", "cat": "fee", "pid": pid, "tid": tid, "ts": a, "dur": b - a, "name": f}
                        for f, a, b in spans]
        return self

    def process(self, pid, name, outer, inner=(), tasks=0):
        self.name("process_name", pid, pid, name)
        return self.thread(pid, pid, "MainThread", outer, inner, tasks)

    def text(self):
        return json.dumps({"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": self.events})


def processes(names, outer, inner, parent):
    trace = Trace().process(1, "MainProcess", MAIN + parent)
    for i, name in enumerate(names):
        trace.process(i + 2, name, outer, inner, 4)
    return trace


def threads(names, outer, inner, parent):
    trace = Trace().process(1, "MainProcess", MAIN + parent)
    for i, name in enumerate(names):
        trace.thread(1, i + 2, name, outer, inner, 4)
    return trace


def with_handlers(trace):
    for i, stack in enumerate(HANDLERS):
        trace.thread(1, 50 + i, f"Thread-{i + 3} (_handle_{i})", stack)
    return trace


# Name, trace, by what, names of workers, tasks.
CASES = [
    ("fork pool", processes(("ForkPoolWorker-1", "ForkPoolWorker-2"), [RUN, POOL], [MAPSTAR, TASK], WAITING),
     "process", ["ForkPoolWorker-1 (2)", "ForkPoolWorker-2 (3)"], 8),
    ("its handlers are none", with_handlers(processes(("ForkPoolWorker-1", "ForkPoolWorker-2"), [RUN, POOL],
                                                      [MAPSTAR, TASK], WAITING)),
     "process", ["ForkPoolWorker-1 (2)", "ForkPoolWorker-2 (3)"], 8),
    ("spawn pool", processes(("SpawnPoolWorker-1", "SpawnPoolWorker-2"),
                             [f"spawn_main ({PY}multiprocessing/spawn.py:98)", RUN, POOL], [MAPSTAR, TASK], WAITING),
     "process", ["SpawnPoolWorker-1 (2)", "SpawnPoolWorker-2 (3)"], 8),
    ("spawn pool, named by its command",
     processes(("python -c", "python -c"), [f"spawn_main ({PY}multiprocessing/spawn.py:98)", RUN, POOL],
               [MAPSTAR, TASK], WAITING), "process", ["python -c (2)", "python -c (3)"], 8),
    ("processes of their own", processes(("Process-1", "Process-2"), [RUN, "work (/srv/app.py:3)"], [TASK], CHILDREN),
     "process", ["Process-1 (2)", "Process-2 (3)"], None),
    # py-spy shows a forked child within the call that started it.
    ("forked in py-spy",
     processes(("python app.py", "python app.py"),
               MAIN + [f"BaseProcess.start ({PY}multiprocessing/process.py:110)",
                       f"Popen._launch ({PY}multiprocessing/popen_fork.py:62)", RUN, "work (/srv/app.py:3)"],
               [TASK], CHILDREN), "process", ["python app.py (2)", "python app.py (3)"], None),
    ("thread pool of multiprocessing",
     with_handlers(threads(("Thread-1 (worker)", "Thread-2 (worker)"), [THREAD, POOL], [MAPSTAR, TASK], WAITING)),
     "thread", ["Thread-1 (worker) (2)", "Thread-2 (worker) (3)"], 8),
    ("concurrent.futures, processes",
     processes(("ForkProcess-1", "SpawnProcess-2"), [RUN, PROCESS_WORKER],
               [f"_process_chunk ({PY}concurrent/futures/process.py:194)", TASK], FUTURE)
     .thread(1, 60, "ExecutorManagerThread", [f"_ExecutorManagerThread.run ({PY}concurrent/futures/process.py:327)"])
     .thread(1, 61, "QueueFeederThread", [THREAD, f"Queue._feed ({PY}multiprocessing/queues.py:213)"]),
     "process", ["ForkProcess-1 (2)", "SpawnProcess-2 (3)"], 8),
    ("concurrent.futures, threads",
     threads(("ThreadPoolExecutor-0_0", "ThreadPoolExecutor-0_1"), [THREAD, THREAD_WORKER], [ITEM, TASK], FUTURE),
     "thread", ["ThreadPoolExecutor-0_0 (2)", "ThreadPoolExecutor-0_1 (3)"], 8),
    # A parent that works as well is not one of its pool's threads.
    ("names alone", threads(("ThreadPoolExecutor-0_0", "ThreadPoolExecutor-0_1"), [], [TASK], [TASK]),
     "thread", ["ThreadPoolExecutor-0_0 (2)", "ThreadPoolExecutor-0_1 (3)"], None),
    ("joblib, loky",
     processes(("LokyProcess-1", "LokyProcess-2"), [],
               [f"_CallItem.__call__ ({SITE}joblib/externals/loky/process_executor.py:289)"] + BATCH + [TASK],
               [f"Parallel._retrieve ({SITE}joblib/parallel.py:1700)"]),
     "process", ["LokyProcess-1 (2)", "LokyProcess-2 (3)"], 8),
    ("joblib, multiprocessing",
     processes(("ForkPoolWorker-1", "ForkPoolWorker-2"), [RUN, POOL],
               [f"_TracebackCapturingWrapper.__call__ ({SITE}joblib/_utils.py:107)"] + BATCH + [TASK],
               [f"Parallel._retrieve ({SITE}joblib/parallel.py:1700)"]),
     "process", ["ForkPoolWorker-1 (2)", "ForkPoolWorker-2 (3)"], 8),
    ("dask, threads",
     threads(("ThreadPoolExecutor-0_0", "ThreadPoolExecutor-0_1"), [THREAD, THREAD_WORKER],
             [ITEM, "_contextvars.Context.run"] + DASK + [TASK], FUTURE),
     "thread", ["ThreadPoolExecutor-0_0 (2)", "ThreadPoolExecutor-0_1 (3)"], 8),
    ("dask, processes", processes(("python -c", "python -c"), [RUN, PROCESS_WORKER], DASK + [TASK], FUTURE),
     "process", ["python -c (2)", "python -c (3)"], 8),
    # Its parent has a pool of threads, and the processes started threads, too.
    ("dask.distributed",
     processes(("python -c", "python -c"),
               [f"spawn_main ({PY}multiprocessing/spawn.py:98)", RUN, f"Thread.start ({PY}threading.py:938)"], [], CHILDREN)
     .thread(1, 60, "ThreadPoolExecutor-0_0", [THREAD, THREAD_WORKER], [ITEM, "log (/srv/app.py:7)"], 1)
     .thread(2, 61, "Dask-Default-Threads-2-0", [f"_worker ({SITE}distributed/threadpoolexecutor.py:50)"],
             [f"_WorkItem.run ({SITE}distributed/_concurrent_futures_thread.py:60)",
              f"_run_task ({SITE}distributed/worker.py:2760)", f"_run_task_simple ({SITE}distributed/worker.py:2794)",
              f"Task.__call__ ({SITE}dask/_task_spec.py:753)", TASK], 4),
     "process", ["python -c (2)", "python -c (3)"], 4),
    ("threads", threads(("Thread-1 (work)", "Thread-2 (work)"), [THREAD, "work (/srv/app.py:3)"], [TASK], JOIN),
     "thread", ["Thread-1 (work) (2)", "Thread-2 (work) (3)"], None),
    # No thread gives work: one that works as much as the others is one of them.
    ("equal threads", threads(("worker-a", "worker-b"), ["work"], [], ["work"]), "thread",
     ["MainThread (1)", "worker-a (2)", "worker-b (3)"], None),
    ("an idle one counts", processes(("ForkPoolWorker-1", "ForkPoolWorker-2"), [RUN, POOL], [MAPSTAR, TASK], WAITING)
     .process(9, "ForkPoolWorker-3", [RUN, POOL, f"SimpleQueue.get ({PY}multiprocessing/queues.py:363)"]),
     "process", ["ForkPoolWorker-1 (2)", "ForkPoolWorker-2 (3)", "ForkPoolWorker-3 (9)"], 8),
]


def perf(stacks, length):
    """Every thread samples its stacks in turn, each for ten."""
    lines = []
    for t in range(length):
        for tid, each in stacks.items():
            stack = each[t // 10 % len(each)]
            lines.append(f"{'omp':5} 10/{tid} [000] {100 + t / 100:.6f}: 10000000 cpu-clock: ")
            lines += [f"\t55{i}0 {frame}" for i, frame in enumerate(stack)] + [""]
    return "\n".join(lines) + "\n"


REGION = "main._omp_fn.0+0x1 (/srv/omp)"
GOMP = "[unknown] (/usr/lib/libgomp.so.1.0.0)"
SPIN = "gomp_team_barrier_wait_end+0x1 (/usr/lib/libgomp.so.1.0.0)"
# The master works for all of the time, the others for half of it and spin.
OPENMP = [
    ("OpenMP", perf({10: [[REGION, "GOMP_parallel+0x1 (/usr/lib/libgomp.so.1.0.0)", "main+0x1 (/srv/omp)"]],
                     11: [[REGION, GOMP], [SPIN, GOMP]], 12: [[REGION, GOMP], [SPIN, GOMP]]}, 200)),
    ("OpenMP without symbols", perf({10: [[REGION, "GOMP_parallel+0x1 (/usr/lib/libgomp.so.1.0.0)"]],
                                     11: [[REGION, GOMP], [GOMP, GOMP]], 12: [[REGION, GOMP], [GOMP]]}, 200)),
    ("libomp", perf({10: [[".omp_outlined.+0x1 (/srv/omp)", "__kmp_invoke_microtask+0x1 (/usr/lib/libomp.so.5)"]],
                     11: [[".omp_outlined.+0x1 (/srv/omp)", "__kmp_launch_worker+0x1 (/usr/lib/libomp.so.5)"],
                          ["__kmp_wait_template+0x1 (/usr/lib/libomp.so.5)"]],
                     12: [[".omp_outlined.+0x1 (/srv/omp)"], ["[unknown] (/usr/lib/libomp.so.5)"]]}, 200)),
]

# A parent that works as long as each child, and began a second before them, which began together.
FORKS = "".join(
    f"{'python':5} {pid}/{pid} [000] {100 + first + t / 100:.6f}: 10000000 cpu-clock: \n\t5510 f+0x1 (/srv/python)\n\n"
    for pid, first in ((10, 0), (11, 1.5), (12, 1.51)) for t in range(100))
# A main thread that works for a second, then waits while threads work, and for another second: with and without the
# number of the process.
POOLS = {ids: "".join(
    f"{'python':5} {ids}{tid} [000] {100 + first + t / 100:.6f}: 10000000 cpu-clock: \n\t5510 f+0x1 (/srv/python)\n\n"
    for tid, first, n in ((10, 0, 100), (11, 1.1, 90), (12, 1.2, 90), (10, 2.2, 100)) for t in range(n))
    for ids in ("10/", "")}
# Threads that records tell of: 13 never ran, and counts; 14 was gone after a tenth of the time.
IDLE = ("".join(f"{'w':5} 10/10 [000] 100.000000: PERF_RECORD_FORK(10:{tid}):(10:10)\n" for tid in (11, 12, 13, 14)) +
        "".join(f"{'w':5} 10/{tid} [000] {100 + t / 100:.6f}: 10000000 cpu-clock: \n\t5510 f+0x1 (/srv/w)\n\n" +
                (f"{'w':5} 10/14 [000] 100.100000: PERF_RECORD_EXIT(10:14):(10:10)\n" if t == 10 and tid == 12 else "")
                for t in range(100) for tid in (11, 12)))
failures = []


def run(*texts):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, text in enumerate(texts):
            paths.append(os.path.join(folder, f"rank{i}.txt"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", "--format", "json", *paths]
        ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}: {ran.stderr.decode()}")
    return json.loads(ran.stdout)


def check(name, what, got, want):
    if got != want:
        failures.append(f"{name}: {what}: {got}, should be {want}")


def main():
    for name, trace, by, workers, tasks in CASES:
        got = run(trace.text())
        check(name, "by", got["window"]["by"], by)
        check(name, "workers", sorted(w["name"] for w in got["workers"]), workers)
        check(name, "tasks", got["tasks"] and got["tasks"]["count"], tasks)
    for name, text in OPENMP:
        got = run(text)
        check(name, "by", got["window"]["by"], "thread")
        check(name, "useful", [w["useful"] for w in got["workers"]], [2_000_000_000, 1_000_000_000, 1_000_000_000])
    got = run(FORKS)
    check("forks", "workers", sorted(w["name"] for w in got["workers"]), ["python (11)", "python (12)"])
    for ids, text in POOLS.items():
        check(f"pool, {ids}", "workers", sorted(w["name"] for w in run(text)["workers"]), ["python (11)", "python (12)"])
    # Programs that are there for a moment, and one of them for longer.
    for name, n, workers in (("passer-by", 1, 2), ("another program", 40, 3)):
        got = run("".join(f"{who:6} {pid}/{pid} [000] {100 + t / 100:.6f}: 10000000 cpu-clock: \n\t5500 f+0x1 (/srv/f)\n\n"
                          for t in range(200) for who, pid in (("bash", 5), ("work", 6), ("work", 7))
                          if who == "work" or t < n))
        check(name, "workers", len(got["workers"]), workers)
    got = run(IDLE)
    check("idle", "workers", [(w["name"], w["useful"]) for w in got["workers"]],
          [("w (11)", 1_000_000_000), ("w (12)", 1_000_000_000), ("w (13)", 0)])
    # MPI: a file of each rank; what one waits for the other in a collective is no work.
    ranks = [perf({10: [["compute+0x1 (/srv/mpi)", "main+0x1 (/srv/mpi)"]] * n +
                   [["opal_progress+0x1 (/usr/lib/libopen-pal.so)", "MPI_Allreduce+0x1 (/usr/lib/libmpi.so)",
                     "main+0x1 (/srv/mpi)"]] * (4 - n)}, 400) for n in (3, 1)]
    got = run(*ranks)
    check("MPI", "by", got["window"]["by"], "rank")
    check("MPI", "useful", [w["useful"] for w in got["workers"]], [3_000_000_000, 1_000_000_000])
    print("\n".join(failures))
    print(f"{len(CASES) + len(OPENMP) + len(POOLS) + 5} kinds of workers, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
