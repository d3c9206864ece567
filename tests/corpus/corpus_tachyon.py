#!/usr/bin/env python3
"""Every recording of Python 3.15's sampler in the corpus, against what Python's own replay gave of it.

- NAME.expected-collapsed.txt: stacks by thread with their counts;
- NAME.expected-samples.jsonl.gz: time, thread, state and stack of every sample;
- NAME.expected.jsonl is read as NAME.expected.pstats is: functions with their times;
- MANIFEST.json of the generated ones: which are refused, and which are read as far as they go.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import gzip
import json
import os
import subprocess
import sys

from corpus import compare_files, corpus, query

STATES = {"holds": 1, "waits": 8, "no": 0, "on": 2, "off": 0, "pending": 16}


class Stacks:
    """Paths by node: [(file, function, line), ...], the root first."""

    def __init__(self, path):
        functions = {i: (file or "~", name) for i, file, name in query(
            path, "select id, (select text from string where id = file), (select text from string where id = name) from function")}
        self.frames = {i: (*functions[f], line) for i, f, line in query(path, "select id, function, coalesce(line, 0) from location")}
        self.nodes = {0: []}
        for node, parent, location in query(path, "select id, parent, location from node order by id"):
            self.nodes[node] = [*self.nodes[parent or 0], self.frames[location]]
        self.threads = {i: tid % 2 ** 64 for i, tid in query(path, "select id, tid from thread")}


def frame_text(file, function, line):
    return function if file == "~" else f"{os.path.basename(file)}:{function}:{line}"


def check_collapsed(path, stacks):
    counts = collections.Counter()
    for thread, node, value in query(path, "select thread, node, sum(self) from cost where metric = 1 group by thread, node"):
        frames = ";".join(frame_text(*frame) for frame in stacks.nodes[node])
        counts[f"tid:{stacks.threads[thread]};{frames}"] += value
    expected = collections.Counter()
    for line in path.with_suffix(".expected-collapsed.txt").read_text(encoding="utf-8").splitlines():
        stack, count = line.rsplit(" ", 1)
        expected[stack] += int(count)
    assert counts == expected, f"collapsed: {list((expected - counts).items())[:2]} {list((counts - expected).items())[:2]}"
    return len(expected)


def state_of(path):
    labels = {0: 0, None: 0}
    for i, rest, text in query(path, "select id, rest, (select text from string where id = l.text) from label_set l order by id"):
        labels[i] = labels[rest or 0] | STATES[text]
    return labels


def check_samples(path, stacks):
    name = path.with_suffix(".expected-samples.jsonl.gz")
    if not name.exists():
        return 0
    states, start = state_of(path), json.loads(path.with_suffix(".expected-info.json").read_text())["start_time_us"]
    ours = collections.Counter((time // 1000 + start, stacks.threads[thread], states[labels], tuple(stacks.nodes[node]))
                               for time, thread, labels, node in query(path, "select time, thread, labels, node from sample where metric = 1"))
    theirs = collections.Counter()
    for line in gzip.open(name, "rt", encoding="utf-8"):
        batch = json.loads(line)
        frames = tuple((file, function, place[0] if place else 0) for file, place, function, _ in reversed(batch["frames"])
                       if not file.endswith("_sync_coordinator.py"))  # of the recorder, which Python's outputs leave out
        for us in batch["us"] if frames else []:
            theirs[us, batch["tid"], batch["status"] & 27, frames] += 1
    assert ours == theirs, f"samples: {list((theirs - ours).items())[:1]} {list((ours - theirs).items())[:1]}"
    return sum(theirs.values())


def check_verdict(path):
    """Of the generated files that are broken: refused (status 2), or read with a note."""
    verdict = json.loads(path.with_name("MANIFEST.json").read_text())[path.stem]["verdict"]
    done = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "info", str(path)], capture_output=True, check=False)
    assert done.returncode == (2 if verdict.startswith("reject") else 0) and done.stderr, f"{verdict}: {done.stderr}"
    return 1


def check_jsonl(path):
    """Lines of a function with several columns count twice where both are in one stack (recursion): their totals differ."""
    pstats = path.with_name(path.name.replace(".jsonl", ".pstats"))
    if not pstats.exists():
        return len(query(path, "select callee from edge"))
    columns = """select (select text from string where id = f.file), (select text from string where id = f.name), f.line,
        self, total from edge e join function f on f.id = e.callee join metric m on m.id = e.metric
        where caller is null and (select text from string where id = m.name) = 'time'"""
    ours, theirs = ({tuple(row[:3]): row[3:] for row in query(file, columns)} for file in (path, pstats))
    assert {key: row[0] for key, row in ours.items()} == {key: row[0] for key, row in theirs.items()}, "other self times"
    assert all(row[1] >= theirs[key][1] for key, row in ours.items()), "other total times"
    assert sum(row == theirs[key] for key, row in ours.items()) * 10 >= len(ours) * 7, "too many other total times"
    return len(ours)


def compare(path):
    if path.suffix == ".jsonl":
        return check_jsonl(path)
    if path.stem.startswith("bad-"):
        return check_verdict(path)
    stacks = Stacks(path)
    return check_collapsed(path, stacks) + check_samples(path, stacks)


files = [path for path in sorted(corpus().glob("*/tachyon/*")) if path.suffix in (".bin", ".jsonl")]
sys.exit(compare_files(files, compare, "stacks and samples", 10000))
