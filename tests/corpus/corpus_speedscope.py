#!/usr/bin/env python3
"""Every speedscope file of the corpus: the same threads, paths and sums.

The files are read here once more, by the rules of speedscope's importer, and compared with
what profkit's tables hold, path by path and thread by thread. Where the corpus has totals made
by another program (FILE.expected-totals.tsv, numbers of samples), those are compared as well.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import fractions
import gzip
import json
import math
import os
import re
import subprocess
import sys

from corpus import corpus

SKIP = 77
WHERE = ["cases/*.speedscope.json", "peers/pyroscope/**/*.speedscope.json", "real/*/*.speedscope.json", "real/*/*.speedscope.json.gz",
         "generated/pyinstrument/*.speedscope*", "peers/austin-python/test/data/austin.json",
         "peers/speedscope/sample/profiles/speedscope/[0-9]*/*.json"]
REFUSED = "peers/speedscope/sample/profiles/speedscope/invalid/*.json"
SCALE = {"none": 1, "bytes": 1, "nanoseconds": 1, "microseconds": 10**3, "milliseconds": 10**6,
         "seconds": 10**9}
THREAD = re.compile(r'(?:Process (\d+) )?Thread (\d+|0x[0-9a-fA-F]+)(?: "(.*)")?$', re.DOTALL)
ROOT = re.compile(r'process \d+:"|thread \(')
NO_FRAMES = ("[no Python frames]", None, None)
PROFKIT = os.environ.get("PROFKIT", "./profkit")


def load(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    return json.loads(data, parse_float=fractions.Fraction)


def decimal(value, scale):
    """In 1000ths of the base unit, rounded as profkit does (halves up)."""
    value = fractions.Fraction(value) * scale * 1000
    return math.floor(value + fractions.Fraction(1, 2))


def stretches(profile):
    """(stack, value) of each sample, each time between two events."""
    scale = SCALE[profile["unit"]]
    if profile["type"] == "sampled":
        for stack, weight in zip(profile["samples"], profile["weights"]):
            yield tuple(stack), decimal(weight, scale)
        return
    stack, last = [], decimal(profile["startValue"], scale)
    for event in profile["events"]:
        at = decimal(event["at"], scale)
        yield tuple(stack), at - last
        last = at
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"]


def thread(name, title):
    if name == title:
        return (None, None, None)
    found = THREAD.match(name)
    if not found:
        return (None, None, name)
    pid, tid, text = found.groups()
    return (pid and int(pid), int(tid, 0), text or None)


def expected(data):
    frames = [(f["name"], f.get("file") or None, f.get("line") or None)
              for f in data["shared"]["frames"]]
    # Of py-spy, frames of processes and threads are no functions.
    left_out = [str(data.get("exporter")).startswith("py-spy") and not file and bool(ROOT.match(name))
                for name, file, _ in frames]
    sums = collections.defaultdict(int)
    for profile in data["profiles"]:
        for stack, value in stretches(profile):
            if stack and value:
                sums[thread(profile["name"], data.get("name")),
                     tuple(frames[i] for i in stack if not left_out[i]) or (NO_FRAMES,)] += value
    return sums


def rows(path, sql):
    done = subprocess.run([PROFKIT, "query", "-q", "--format", "json", str(path), sql],
                          capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    return [list(row.values()) for row in json.loads(done.stdout)["rows"]]


def actual(path):
    text = "(SELECT text FROM string WHERE id = {})"
    frames = {row[0]: tuple(row[1:]) for row in rows(
        path, f"SELECT l.id, {text.format('f.name')}, {text.format('f.file')}, coalesce(nullif(l.line, 0), nullif(f.line, 0)) "
              "FROM location l JOIN function f ON f.id = l.function")}
    nodes = {row[0]: row[1:] for row in rows(path, "SELECT id, parent, location FROM node ORDER BY 1")}
    stacks = {}
    for node, (parent, frame) in nodes.items():
        stacks[node] = stacks.get(parent, ()) + (frames[frame],)
    threads = {row[0]: tuple(row[1:]) for row in rows(
        path, f"SELECT t.id, p.pid, t.tid, {text.format('t.name')} FROM thread t "
              "LEFT JOIN process p ON p.id = t.process")}
    threads[None] = threads[0] = (None, None, None)
    sums = collections.defaultdict(int)
    for row_thread, node, value, exponent in rows(
            path, "SELECT c.thread, c.node, c.self, m.exponent FROM cost c "
                  "JOIN metric m ON m.id = c.metric"):
        sums[threads[row_thread], stacks[node]] += value * 10 ** (3 - exponent)
    return {key: value for key, value in sums.items() if value}


def compare_totals(path, data, sums):
    """With the numbers of samples that another program counted, thread by thread."""
    listed = path.with_name(path.name + ".expected-totals.tsv")
    if not listed.exists():
        return 0
    blocks = re.split(r"^# (.*) samples \d+ end .*\n", listed.read_text(encoding="utf-8"), flags=re.M)[1:]
    count = 0
    for name, block in zip(blocks[::2], blocks[1::2]):
        weight = decimal(data["profiles"][0]["weights"][0], 10**9)
        self_sums, totals = collections.Counter(), collections.Counter()
        for (key, stack), value in sums.items():
            labels = [f"{f} ({file}:{line})" if line else f"{f} ({file})" if file else f
                      for f, file, line in stack]
            if key == thread(name, None):
                self_sums[labels[-1]] += value
                for label in set(labels):
                    totals[label] += value
        for line in block.splitlines():
            own, total, label = line.split("\t")
            if ROOT.match(label):
                continue
            count += 1
            if (self_sums[label], totals[label]) != (int(own) * weight, int(total) * weight):
                raise RuntimeError(f"{name}: {label}: {self_sums[label]} {totals[label]}, not {line}")
    return count


def check(path):
    data = load(path)
    right, got = expected(data), actual(path)
    for key in right.keys() | got.keys():
        if right.get(key, 0) != got.get(key, 0):
            raise RuntimeError(f"{key}: {got.get(key)}, not {right.get(key)}")
    return len(got), compare_totals(path, data, got)


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    files = sorted({f for pattern in WHERE for f in root.glob(pattern)})
    failed = paths = totals = 0
    for path in files:
        try:
            more, listed = check(path)
            paths += more
            totals += listed
        except RuntimeError as error:
            print(f"{path}: {error}")
            failed += 1
    for path in root.glob(REFUSED):
        strict = subprocess.run([PROFKIT, "info", "--strict", str(path)], capture_output=True, check=False)
        mended = subprocess.run([PROFKIT, "info", str(path)], capture_output=True, check=False)
        if strict.returncode != 2 or mended.returncode or not mended.stderr:
            print(f"{path}: is not mended, or not refused with --strict")
            failed += 1
    print(f"{len(files)} files, {paths} paths, {totals} totals")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
