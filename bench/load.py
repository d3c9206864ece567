#!/usr/bin/env python3
"""Large and many inputs: whether profkit stays within bounds, and loses nothing.

    make load                               all of it, about ten minutes
    make load LOAD='--perf 200M --trace 100M --runs 50 --profiles 200 --writers 20'
    make load LOAD='--only pipe'

pipe      perf script's text and a trace through a pipe, made on the way, never stored: the most
          memory profkit had, and whether it counted what the generator says that it wrote
store     a store of many runs: added one by one, listed, followed, compared, removed
many      many small files given at once, with few file descriptors
writers   many processes that add to one store at the same time, which is not there before

Prints a line for each, with what it took; "FAILED" and status 1 where something is not as it
should be. Values are compared with those that the inputs were made with.
"""
import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

UNITS = {"K": 1000, "M": 1000**2, "G": 1000**3}
MEGABYTE = 1000**2
failures = 0


def size(text):
    unit = UNITS.get(text[-1].upper(), 0)
    return int(float(text[:-1]) * unit) if unit else int(text)


def report(name, seconds, rss, note="", problem=None):
    global failures
    print("%-34s %8.2f s %8.1f MB  %s" % (name, seconds, rss / MEGABYTE, note))
    if problem:
        failures += 1
        print("FAILED: %s" % problem)
    sys.stdout.flush()


def resident(pid):
    try:
        with open("/proc/%d/statm" % pid) as f:
            return int(f.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def wait(process, limit):
    """The status of a process, 'memory' when it took more than the limit and was ended, and the
    most memory that it had."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss * 1024
        if resident(process.pid) > limit:
            process.kill()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = -9
            return "memory", usage.ru_maxrss * 1024
        time.sleep(0.02)


def call(*args, limit=1 << 34, files=None):
    """Runs profkit: status, what it printed, seconds, memory."""
    few = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([PROFKIT, *args], stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, preexec_fn=few)
        status, rss = wait(process, limit)
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read().decode(), time.monotonic() - start, rss


def expect(name, result, check=None, note=""):
    """Reports a call that must succeed; check tells from its output what is wrong, None if nothing."""
    status, out, err, seconds, rss = result
    problem = "status %s: %s" % (status, err[-500:]) if status != 0 else None
    if not problem and check:
        problem = check(out)
    report(name, seconds, rss, note, problem)


def equal(what, got, want):
    return None if got == want else "%s: %r instead of %r" % (what, got, want)


def pipe(name, generator, key, bytes_, bound, *command):
    """Reads what a generator writes; key is what `info` calls the things that it counts."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as out, \
            tempfile.TemporaryFile() as err:
        writer = subprocess.Popen([*generator, "-s", str(bytes_), "-n"], stdout=subprocess.PIPE,
                                  stderr=said)
        reader = subprocess.Popen([PROFKIT, *command, "-"], stdin=writer.stdout, stdout=out,
                                  stderr=err)
        writer.stdout.close()
        status, rss = wait(reader, bound)
        writer.wait()
        for f in (said, out, err):
            f.seek(0)
        said, out, err = said.read(), out.read(), err.read().decode()
    note = "%.1f GB, memory %.1f %% of it" % (bytes_ / 1e9, rss / bytes_ * 100)
    if status == "memory":
        problem = "more than %d MB of memory" % (bound // MEGABYTE)
    elif status != 0 or writer.returncode != 0:
        problem = "status %s, generator %s: %s" % (status, writer.returncode, err[-500:])
    elif key:
        problem = equal(key, json.loads(out)[key], int(said))
    else:
        problem = None if out else "nothing printed"
    report(name, time.monotonic() - start, rss, note, problem)


def load_pipe(args):
    perf = [os.path.join(args.build, "bench/gen_perf_script"), "-d", "1"]
    wide = [os.path.join(args.build, "bench/gen_perf_script")]
    trace = [os.path.join(args.build, "bench/gen_trace")]
    base = 100 * MEGABYTE

    # Memory is for functions and call paths, not for samples: 1 % of the stacks leave the usual
    # paths. Where a quarter does, there are new paths to the end.
    pipe("perf script, info", perf, "samples", args.perf, base + args.perf // 50,
         "info", "--format", "json")
    pipe("perf script, hotspots", perf, None, args.perf // 5, base + args.perf // 250, "hotspots")
    pipe("perf script, new paths", wide, "samples", args.perf // 5, base + args.perf // 20,
         "info", "--format", "json")
    # Every span is a row.
    pipe("trace, info", trace, "spans", args.trace, base + args.trace // 4, "info", "--format", "json")
    pipe("trace, hotspots", trace, None, args.trace // 5, base + args.trace // 20, "hotspots")


def write_folded(path, number):
    """A small profile; its total, and the self of function main."""
    total = 0
    with open(path, "w") as f:
        for i in range(50):
            value = 1 + (number * 7 + i * 13) % 100
            total += value
            f.write("main;module_%d;function_%d_%d %d\n" % (i % 7, i, number % 40, value))
    return total


def check_store(path, runs, total):
    """What is wrong with a store, asked without profkit."""
    db = sqlite3.connect(path)
    try:
        found = db.execute("PRAGMA integrity_check").fetchone()[0]
        problem = equal("integrity_check", found, "ok")
        count = db.execute("SELECT count(*) FROM run").fetchone()[0]
        sums = db.execute("SELECT sum(self) FROM cost").fetchone()[0]
        return problem or equal("runs", count, runs) or equal("sum of all runs", sums, total)
    finally:
        db.close()


def load_store(args):
    store, totals, times = "many.db", [], []
    rss = 0
    for i in range(args.runs):
        totals.append(write_folded("run-%d.folded" % i, i))
        status, _, err, seconds, memory = call("store", "add", "-q", store, "run-%d.folded" % i)
        times.append(seconds)
        rss = max(rss, memory)
        if status != 0:
            report("store add", sum(times), rss, problem="run %d: status %s: %s" % (i, status, err))
            return
    tenth = max(1, args.runs // 10)
    first, last = sorted(times[:tenth])[tenth // 2], sorted(times[-tenth:])[tenth // 2]
    report("store add, one by one", sum(times), rss,
           "%d runs, median %.1f ms of the first tenth, %.1f ms of the last, %.1f MB" % (
               args.runs, first * 1000, last * 1000, os.path.getsize(store) / MEGABYTE),
           "adding gets slower" if last > 5 * first + 0.05 else check_store(store, args.runs, sum(totals)))

    def listed(out):
        rows = json.loads(out)["rows"]
        return equal("rows", len(rows), args.runs) or equal(
            "totals", [row["total"] for row in rows], totals)

    def valued(out):
        want = [1 + (i * 7 + 39) % 100 if i % 40 == 3 else 0 for i in range(args.runs)]
        return equal("values", [row["value"] or 0 for row in json.loads(out)["rows"]], want)

    expect("store list", call("store", "list", "--format", "json", store), listed)
    expect("history", call("history", store))
    expect("history of a function", call("history", "--format", "json", store, "function_3_3"), valued)
    expect("diff of two", call("diff", store + "@1", "%s@%d" % (store, args.runs)))
    expect("hotspots of one", call("hotspots", "%s@%d" % (store, args.runs // 2 + 1)))
    expect("hotspots of all", call("hotspots", store))
    expect("query", call("query", "--format", "csv", "-q", store, "SELECT sum(self) AS s FROM cost"),
           lambda out: equal("sum", int(out.split()[1]), sum(totals)))
    expect("store remove, one", call("store", "remove", store, str(args.runs // 2)),
           lambda out: check_store(store, args.runs - 1, sum(totals) - totals[args.runs // 2 - 1]))
    half = [str(i + 1) for i in range(0, args.runs, 2) if i + 1 != args.runs // 2]
    expect("store remove, half of them", call("store", "remove", "-q", store, *half),
           lambda out: equal("runs", sqlite3.connect(store).execute(
               "SELECT count(*) FROM run WHERE run % 2 = 1").fetchone()[0], 0))


def load_many(args):
    os.mkdir("files")
    totals = [write_folded("files/%05d.folded" % i, i) for i in range(args.profiles)]
    names = sorted("files/" + name for name in os.listdir("files"))
    few = {"files": 40}

    def merged(_):
        with open("merged.folded") as f:
            return equal("sum", sum(int(line.rsplit(" ", 1)[1]) for line in f), sum(totals))

    expect("merge of %d files" % args.profiles,
           call("merge", "-q", "--to", "folded", "-o", "merged.folded", *names, **few), merged)
    expect("summary", call("summary", *names, **few))
    expect("hotspots", call("hotspots", *names, **few))
    expect("store add, at once", call("store", "add", "-q", "all.db", *names, **few),
           lambda out: check_store("all.db", args.profiles, sum(totals)))


def load_writers(args):
    for attempt in ("a new store", "one that is there"):
        totals = [write_folded("w%d.folded" % i, i) for i in range(args.writers)]
        start = time.monotonic()
        running = [subprocess.Popen([PROFKIT, "store", "add", "-q", "shared.db", "w%d.folded" % i],
                                    stderr=subprocess.PIPE) for i in range(args.writers)]
        said = [process.communicate()[1].decode() for process in running]
        bad = [text for process, text in zip(running, said) if process.returncode or text]
        rounds = 1 if attempt == "a new store" else 2
        left = [name for name in os.listdir(".") if name.endswith(".tmp") or "-journal" in name]
        report("%d writers, %s" % (args.writers, attempt), time.monotonic() - start, 0, problem=(
            bad[0] if bad else check_store("shared.db", rounds * args.writers, rounds * sum(totals))
            or equal("files left", left, [])))


PARTS = {"pipe": load_pipe, "store": load_store, "many": load_many, "writers": load_writers}

parser = argparse.ArgumentParser(description="Large and many inputs")
parser.add_argument("--build", default=".", help="folder with profkit and the generators")
parser.add_argument("--perf", type=size, default="10G", help="perf script's text, in bytes")
parser.add_argument("--trace", type=size, default="5G", help="trace, in bytes")
parser.add_argument("--runs", type=int, default=1000, help="runs of a store")
parser.add_argument("--profiles", type=int, default=5000, help="files given at once")
parser.add_argument("--writers", type=int, default=50, help="processes that add at once")
parser.add_argument("--only", choices=PARTS, help="this alone")
options = parser.parse_args()
options.build = os.path.abspath(options.build)
PROFKIT = os.path.join(options.build, "profkit")

folder = tempfile.mkdtemp(prefix="profkit-load-")
os.chdir(folder)
try:
    for part, run in PARTS.items():
        if options.only in (None, part):
            run(options)
finally:
    os.chdir("/")
    shutil.rmtree(folder)
print("%d failed" % failures)
sys.exit(failures != 0)
