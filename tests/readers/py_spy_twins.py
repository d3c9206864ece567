#!/usr/bin/env python3
"""One run told twice, as stacks with counts and as begins and ends: the same functions.

- Samples in their order are written here as py-spy writes its formats raw and chrometrace: one
  line for each stack; an event for each frame that comes or goes, for stacks that are alike and
  follow each other are one. The samples are made up, and those of py-spy's speedscope files in
  the corpus.
- The same samples go through profkit's own writers of both formats.
- Programs of the corpus that py-spy recorded in several formats: these are different runs, so
  that shares may differ by chance.

Function by function, self and total are compared. In trace events, times are whole us: each begin
and each end may be off by half of one, and nothing else may.
"""
import collections
import csv
import glob
import gzip
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

PROFKIT = os.environ.get("PROFKIT", "./profkit")


def run(*args):
    done = subprocess.run([PROFKIT, *args], capture_output=True)
    if done.returncode:
        raise SystemExit(f"profkit {' '.join(args)}: {done.stderr.decode()}")
    return done.stdout.decode("utf-8", "replace")


def functions(path):
    """(function, file) -> [self, total], and the sum of self."""
    found = collections.defaultdict(lambda: [0, 0])
    for row in csv.DictReader(io.StringIO(run("hotspots", "-q", "--limit", "0", "--format", "csv", path))):
        # A library is a file or a module, as formats have it; py-spy's raw has no ';' in names.
        place = row["file"] or (row["module"] if ".so" in row["module"] else "")
        own = found[row["function"].replace(";", ":"), place.replace("?", "")]
        own[0] += float(row["self"])
        own[1] += float(row["total"])
    return found, sum(own for own, _ in found.values())


def made_up(rate):
    """Threads of samples, each a stack of (function, file, line), the root first."""
    names = [(f"f{i}", f"/srv/part{i % 3}.py", i + 1) for i in range(12)]
    names.append(("odd name (1)", "/srv/a b (2).py", 7))
    for tid in (11, 12, 140131092500544):
        stack, samples = [names[0]], []
        for _ in range(400):
            if random.random() < 0.5: # half of the time nothing changes
                keep = random.randrange(1, len(stack) + 1)
                stack = stack[:keep] + [random.choice(names) for _ in range(random.randrange(4))]
            samples.append(tuple(stack))
        yield tid, samples


def recorded(path):
    with open(path, encoding="utf-8") as file:
        top = json.load(file)
    frames = [(f["name"], f.get("file") or "", f.get("line") or 0) for f in top["shared"]["frames"]]
    rate = None
    for tid, profile in enumerate(top["profiles"], 1):
        rate = round(1 / min(w for w in profile["weights"] if w > 0)) if profile["weights"] else rate
        # What has no file names a thread or a process.
        stacks = [tuple(frames[i] for i in stack if frames[i][1]) for stack in profile["samples"]]
        yield tid, [stack for stack in stacks if stack]
    return rate


def write_raw(path, threads):
    counts = collections.Counter(stack for _, samples in threads for stack in samples)
    with open(path, "w", encoding="utf-8") as file:
        for stack, count in counts.items():
            file.write(";".join(f"{f} ({p}:{n})" if n else f"{f} ({p})" for f, p, n in stack) + f" {count}\n")


def event(phase, frame, tid, ts):
    return {"args": {"filename": frame[1], "line": frame[2]}, "cat": "py-spy", "name": frame[0],
            "ph": phase, "pid": 1, "tid": tid, "ts": ts}


def write_chrometrace(path, threads, rate):
    events = collections.Counter()
    with open(path, "w", encoding="utf-8") as file:
        separator = "["
        for tid, samples in threads:
            before = ()
            for k, stack in enumerate([*samples, ()]):
                same = 0
                while same < min(len(stack), len(before)) and stack[same] == before[same]:
                    same += 1
                ts = round(k * 1000000 / rate)
                changes = [("E", f) for f in reversed(before[same:])] + [("B", f) for f in stack[same:]]
                for phase, frame in changes:
                    file.write(separator + json.dumps(event(phase, frame, tid, ts)))
                    separator = ",\n"
                    for name in {f[:2] for f in before + stack}: # whose self or total it may change
                        events[name] += 1
                before = stack
        file.write("]")
    return events


def compare(what, raw, trace, period, slack):
    """raw counts samples, trace ns; slack: events by function, or None where nothing is rounded."""
    wrong = []
    a, _ = functions(raw)
    b, _ = functions(trace)
    for name in sorted(set(a) | set(b)):
        for counted, ns in zip(a.get(name, (0, 0)), b.get(name, (0, 0))):
            if abs(counted * period - ns) > (500 * slack[name] + 1 if slack else counted + 1):
                wrong.append(f"{name}: {counted} samples are not {ns} ns")
    for line in wrong[:3]:
        print(f"{what}: {line}")
    return not wrong and len(a) > 0


def check_twins(what, threads, rate, work):
    raw, trace = os.path.join(work, "raw.txt"), os.path.join(work, "trace.json")
    write_raw(raw, threads)
    slack = write_chrometrace(trace, threads, rate)
    return compare(what, raw, trace, 1e9 / rate, slack)


def check_own(path, work):
    """Through profkit's writers: nothing is rounded but the time of a sample, to 1 ns."""
    raw, trace = os.path.join(work, "raw.txt"), os.path.join(work, "trace.json")
    run("convert", "-q", "--to", "py-spy", path, "-o", raw)
    run("convert", "-q", "--to", "chrome", path, "-o", trace)
    whole, total = functions(path)
    count = int(json.loads(run("info", "-q", "--format", "json", path))["samples"])
    a, _ = functions(raw)
    b, again = functions(trace)
    wrong = [n for n in set(a) | set(b) if any(abs(x - y) > count for x, y in zip(a.get(n, (0, 0)), b.get(n, (0, 0))))]
    short = {(f, os.path.basename(p)) for f, p in whole}
    if wrong or abs(total - again) > count or {(f, os.path.basename(p)) for f, p in b} != short:
        print(f"{path}: {len(wrong)} functions differ between profkit's own twins: {wrong[:2]}")
        return False
    return True


def check_pair(base, work):
    """Two runs of a program with one thread: shares may differ by chance, 6 standard deviations
    of the counts, of which those that follow each other hang together."""
    trace = base + ".chrometrace.json"
    a, samples = functions(base + ".raw.txt")
    b, ns = functions(trace)
    wrong = []
    shares = collections.defaultdict(lambda: [[0, 0], [0, 0]])
    for side, (found, whole) in enumerate(((a, samples), (b, ns))):
        for (name, path), values in found.items():
            for i, value in enumerate(values):
                shares[name, os.path.basename(path)][i][side] += value / whole
    for name, both in shares.items():
        for x, y in both:
            mean = min(max((x + y) / 2, 1 / samples), 1)
            if abs(x - y) > 6 * math.sqrt(2 * mean * (1 - mean) / samples) + 1 / samples:
                wrong.append(f"{name}: {x:.1%} and {y:.1%}")
    if wrong:
        print(f"{base}: {wrong[:3]}")
    return not wrong


def check_corpus(corpus, results, folder):
    for file in sorted(glob.glob(corpus + "/real/*/*.speedscope.json")):
        with open(file, encoding="utf-8") as f:
            head = f.read(300)
        if "py-spy" not in head and "py-spy" not in open(file, encoding="utf-8").read()[-300:]:
            continue
        threads = list(recorded(file))
        results["twins", check_twins(file, threads, 200, folder)] += 1
        results["own", check_own(file, folder)] += 1
    for file in sorted(glob.glob(corpus + "/real/*/*.pyinstrument.json") +
                       glob.glob(corpus + "/real/*/*.pyisession")):
        results["own", check_own(file, folder)] += 1
    for file in sorted(glob.glob(corpus + "/real/programs/etl.py-spy*.chrometrace.json")):
        results["pairs", check_pair(file[:-len(".chrometrace.json")], folder)] += 1


random.seed(5)
results = collections.Counter()
with tempfile.TemporaryDirectory() as folder:
    if len(sys.argv) > 1:
        check_corpus(sys.argv[1], results, folder)
    else:
        for hertz in (100, 300, 1000):
            results["twins", check_twins(f"made up, {hertz} Hz", list(made_up(hertz)), hertz, folder)] += 1
for (kind, good), times in sorted(results.items()):
    print(f"{times} {kind} {'agree' if good else 'DIFFER'}")
sys.exit(not results or any(not good for _, good in results))
