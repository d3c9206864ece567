#!/usr/bin/env python3
"""What the page of `report` knows by thread and time ("split" of its call paths): its rows for a thread or a window of
steps have the numbers of `tree --thread` and `tree --time`, however many rows had to be joined, and no cost is lost."""
import base64
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib

PROFKIT = os.path.realpath(os.environ.get("PROFKIT", "build/profkit"))
TESTDATA = os.environ.get("TESTDATA", "testdata")
MOST_ROWS = 60000
failed = []


def expect(what, good, said=""):
    if not good:
        failed.append(what)
        print("not ok: %s\n    %s" % (what, str(said)[:1000]))


def profkit(*words):
    return subprocess.run([PROFKIT, *words, "-q"], stdout=subprocess.PIPE, check=True).stdout.decode()


def page_of(path, *options):
    text = re.search('id="data">(.*?)</script>', profkit("report", path, *options), re.S)[1].strip()
    return json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))


def column(values, count):
    """A column of the page: one value is that of all rows, no column is 0."""
    values = values or [0]
    return values * count if len(values) == 1 else values


class Page:
    def __init__(self, path, *options):
        self.data = page_of(path, *options)
        p = self.data["paths"]
        count = p["count"]
        names = column(self.data["symbols"]["name"], self.data["symbols"]["count"])
        self.path, stack = [], []
        for symbol, depth in zip(column(p["symbol"], count), column(p.get("depth"), count)):
            stack[depth:] = [self.data["texts"][names[symbol]]]
            self.path.append(tuple(stack))
        self.path.append(())  # of rows whose path is not in the page
        self.split = p.get("split")
        self.unsplit = p.get("unsplit")

    def rows(self, metric, part):
        """(path, thread, at, rest, self, calls, ends)"""
        parts = self.split["metrics"][metric]
        if part == "cost" and parts.get("time", {}).get("all"):
            part = "time"
        rows = parts.get(part, {"count": 0})
        keys = ("path", "thread", "at", "rest", "self", "calls", "ends")
        path = at = 0
        for row in zip(*(column(rows.get(key), rows["count"]) for key in keys)):
            path, at = path + row[0], at + row[2]
            expect("a row says something", row[4] or row[5] or row[6], row)
            yield (self.path[path], row[1], at, *row[3:])

    @staticmethod
    def sums(rows):
        """{path: self} of the paths themselves, and what was joined to each from below."""
        own, rest = collections.Counter(), collections.Counter()
        for path, _, _, below, value, *_ in rows:
            (rest if below else own)[path] += value
        return {k: v for k, v in own.items() if v}, {k: v for k, v in rest.items() if v}


def tree_of(path, metric, *options):
    """{path: (self, calls)}"""
    found, stack = {}, []
    said = json.loads(profkit("tree", "--format", "json", "-n", "0", "--min-share", "0", "--metric", metric, *options, path))
    for row in said["rows"]:
        stack[row["depth"]:] = [row["function"] or ""]
        self, calls = found.get(tuple(stack), (0, 0))
        found[tuple(stack)] = (self + row["self"], calls + (row["calls"] or 0))
    return found


def compare_window(path, page, metric, begin, end, *options):
    """Self and calls of all paths in steps `begin` to `end`, for spans and samples that are exact."""
    split, name = page.split, page.data["metrics"][metric]["name"]
    first, last = (split["begin"] + step * split["step"] for step in (begin, end))
    option = "--time=%dns..%s" % (first, "%dns" % last if end < split["steps"] else "")
    if not any(not at or begin < at <= end for _, _, at, *_ in page.rows(metric, "time")):
        return  # tree refuses a window in which nothing is
    tree = tree_of(path, name, option, *options)
    own, calls = collections.Counter(), collections.Counter()
    for where, _, at, rest, value, began, ended in page.rows(metric, "time"):
        expect("no rows are joined", not rest)
        own[where] += value if not at or begin < at <= end else 0
        calls[where] += (began or 0) * (at <= end) - ended * (at <= begin)
    expect(f"{path} {name} {option}: self", +own == {k: v[0] for k, v in tree.items() if v[0]}, (+own, tree))
    expect(f"{path} {name} {option}: calls", +calls == {k: v[1] for k, v in tree.items() if v[1]}, (+calls, tree))


def compare_threads(path, page):
    """Costs of each thread that has a number of its own."""
    threads = page.split["threads"]
    count = len(threads["thread"])
    numbers = list(zip(column(threads.get("known"), count), column(threads.get("pid"), count), column(threads.get("tid"), count)))
    for metric, m in enumerate(page.data["metrics"]):
        for number, (known, pid, tid) in enumerate(numbers):
            if not known or not pid or not tid:
                continue
            tree = tree_of(path, m["name"], "--process=%d" % pid, "--thread=%d" % tid)
            own, _ = page.sums(r for r in page.rows(metric, "cost") if r[1] == number)
            expect(f"{path} {m['name']} thread {tid}", own == {k: v[0] for k, v in tree.items() if v[0]}, (own, tree))


def compare_small(path):
    page = Page(path)
    steps = page.split["steps"]
    expect(f"{path}: steps", steps == 256)
    expect(f"{path}: no path is without rows", page.split["lumped"] == 0)
    for metric in range(len(page.data["metrics"])):
        last = max(at for _, _, at, *_ in page.rows(metric, "time"))
        for begin, end in ((0, steps), (0, 1), (60, 200), (128, 129), (last - 1, last), (last - 1, steps)):
            compare_window(path, page, metric, begin, end)
    compare_threads(path, page)
    return page


def compare_without_times():
    """Threads of a format without times, each with one stack."""
    with open("threads.austin", "w", encoding="utf-8") as file:
        file.write("# austin: 3.7.0\n\nP5;T1;a.py:f:1 70\nP5;T2;a.py:g:2 30\n")
    page = Page("threads.austin")
    expect("all threads are known", page.split["threads"]["tid"] == [1, 2], page.split["threads"])
    compare_threads("threads.austin", page)


def trace(path, spans):
    """spans: (thread, begin in us, duration, name, ...), the outermost first."""
    events = [{"ph": "X", "pid": 1, "tid": thread, "ts": begin, "dur": duration, "name": name}
              for thread, begin, duration, name in spans]
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"traceEvents": events}))
    return path


def compare_random():
    """Spans in spans on three threads, some of no length, some longer than many steps."""
    spans = []

    def fill(thread, begin, end, depth):
        while begin < end:
            length = random.randint(0, end - begin)
            spans.append((thread, begin, length, "f%d" % random.randint(0, 4)))
            if depth < 5 and length > 1:
                fill(thread, begin + random.randint(0, 1), begin + length, depth + 1)
            begin += length + random.randint(1, 1 + (end - begin) // 8)

    random.seed(3)
    for thread in (7, 8, 9):
        fill(thread, random.randint(0, 50), 3000, 0)
    page = compare_small(trace("random.json", spans))
    for thread in (7, 9):
        number = page.split["threads"]["tid"].index(thread)
        own, _ = page.sums(r for r in page.rows(0, "time") if r[1] == number and 10 < r[2] <= 99)
        option = "--time=%dns..%dns" % tuple(page.split["begin"] + step * page.split["step"] for step in (10, 99))
        tree = tree_of("random.json", "time", option, "--thread=%d" % thread)
        expect(f"thread {thread} in a window", own == {k: v[0] for k, v in tree.items() if v[0]}, (own, tree))


def compare_many_steps():
    """Too many rows for 256 steps: the steps are longer, and as exact. The end has a step of its own."""
    spans = [(1, 0, 256 * 301 + 1, "main")]
    spans += [(1, step * 301 + path, 1, "f%d" % path) for step in range(256) for path in range(300)]
    path = trace("steps.json", spans)
    page = Page(path)
    split = page.split
    rows = sum(1 for part in ("cost", "time") for _ in page.rows(0, part))
    expect("fewer rows than too many", split["steps"] == 128 and rows <= MOST_ROWS and not split["lumped"], (split["steps"], rows))
    for begin, end in ((0, 128), (1, 2), (17, 90), (127, 128)):
        compare_window(path, page, 0, begin, end)


def compare_joined(page, tree):
    """Paths without rows are a part of the lowest caller that has some."""
    own, rest = page.sums(page.rows(0, "time"))
    expect("no cost is lost", sum(own.values()) + sum(rest.values()) == sum(v[0] for v in tree.values()))
    expect("paths with rows have their own cost", all(tree[where][0] == value for where, value in own.items()))
    joined = collections.Counter()
    for where, (value, _) in tree.items():
        if value and where not in own:
            while where and where not in own and where not in rest:
                where = where[:-1]
            joined[where] += value
    expect("what has no rows is part of its caller", joined == rest, (joined.most_common(3), rest))


def compare_many_paths():
    """Too many rows, however long the steps, with more than 1,000 paths: the less important ones are joined to their callers."""
    spans, count = [(1, 0, 64 * 3000, "main")], 2400
    name = ["%d %0200x" % (i, random.getrandbits(800)) for i in range(count)]
    for step in range(64):
        for i in range(count // 2):
            weight = 1 + (i < 400)
            spans += [(1, step * 3000 + 2 * i, weight, name[2 * i]), (1, step * 3000 + 2 * i, 1, name[2 * i + 1])]
    path = trace("paths.json", spans)
    page, tree = Page(path), tree_of(path, "time")
    kept = len(tree) - page.split["lumped"]
    expect("a quarter of the paths has rows: with a half, they are still too many", kept == len(tree) // 4, (len(tree), kept))
    expect("steps are not longer than need be", page.split["steps"] == 128, page.split["steps"])
    compare_joined(page, tree)
    small = Page(path, "--max-size", "400K")
    expect("a small page has fewer paths and longer steps", small.data["paths"]["left"] > 0 and small.split["steps"] < 64, small.split["steps"])
    compare_joined(small, tree)


def compare_many_samples():
    """So many samples of so many paths that a part of them is looked at first, which leaves nothing behind."""
    count = 132000
    profile = {"type": "sampled", "name": "main", "unit": "microseconds", "startValue": 0, "endValue": count,
               "samples": [[i // 4 % 1500] for i in range(count)], "weights": [1] * count}
    with open("samples.speedscope.json", "w", encoding="utf-8") as file:
        file.write(json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": [profile],
                               "shared": {"frames": [{"name": "f%d" % i} for i in range(1500)]}}))
    compare_joined(Page("samples.speedscope.json"), tree_of("samples.speedscope.json", "time"))


def compare_many_threads():
    """Too many rows for one step and few paths: the page has the call paths, and says that it does not know parts of them."""
    profiles = [{"type": "sampled", "name": "thread %d" % t, "unit": "none", "startValue": 0, "endValue": 600,
                 "samples": [[i] for i in range(600)], "weights": [1] * 600} for t in range(110)]
    with open("threads.speedscope.json", "w", encoding="utf-8") as file:
        file.write(json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": profiles,
                               "shared": {"frames": [{"name": "f%d" % i} for i in range(600)]}}))
    page = Page("threads.speedscope.json")
    expect("no rows, which the page says", page.unsplit and not page.split, page.unsplit)


def main():
    for name in ("chrome/viztracer.json", "chrome/two.json", "chrome/begin-end.json", "perf-script/default.perf"):
        compare_small(os.path.join(TESTDATA, name))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compare_without_times()
        compare_random()
        compare_many_steps()
        compare_many_paths()
        compare_many_samples()
        compare_many_threads()
    sys.exit(bool(failed))


main()
