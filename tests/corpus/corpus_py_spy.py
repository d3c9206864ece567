#!/usr/bin/env python3
"""Every file of py-spy record --format raw in the corpus: the same frames, tasks and sums.

The files are read here once more, by the rules in src/readers/py_spy.c, and compared with what
profkit's tables hold, path by path and thread by thread, lines included, and with what it writes
in this format. Where the corpus has
totals made by another program (FILE.expected-totals.tsv), those are compared as well: without
the rows of processes and threads, and of pieces of their names, which are no functions here.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from corpus import corpus, query

SKIP = 77
WHERE = ["peers/gprof2dot/tests/collapse/synapse.collapse", "real/py-spy/*.raw.txt", "real/*/*.py-spy*.raw.txt",
         "peers/austin-python/test/data/diff_a-b.austin"]  # its labels are those of py-spy
PROFKIT = os.environ.get("PROFKIT", "./profkit")
LABEL = re.compile(r"^(.+) \((.*?)(?::(\d+))?\)$", re.DOTALL)
PROCESS = re.compile(r'process (\d+):"(.*?)"(?:;|$)', re.DOTALL)
THREAD = re.compile(r"thread \((\w+)\)(?:: (.*?))?(?:;(?=[^;]* \([^;]*\)(?:;|$))|$)", re.DOTALL)
NO_FRAMES = "[no Python frames]"


def frame(text):
    """(function, place, line); the place is a file or a library."""
    found = LABEL.match(text)
    if not found:
        return text, "", 0
    return found[1], "" if found[2] == "?" else found[2], int(found[3] or 0)


def expected(path):
    sums, names = collections.Counter(), {}
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")[:-1]:
        stack, count = line.rsplit(" ", 1)
        pid = tid = None
        while found := PROCESS.match(stack):
            pid, stack = int(found[1]), stack[found.end():]
            names["process", pid] = found[2] or names.get(("process", pid), "")
        if found := THREAD.match(stack):
            tid, stack = int(found[1], 0), stack[found.end():]
            names["thread", pid, tid] = found[2] or names.get(("thread", pid, tid), "")
        frames = tuple(map(frame, stack.split(";"))) if stack else ((NO_FRAMES, "", 0),)
        sums[pid, tid, frames] += int(count)
    return sums, {key: name for key, name in names.items() if name}


def text(column):
    return f"(select text from string where id = {column})"


def read(path):
    paths = {0: ()}
    for row in query(path, f"""select n.id, n.parent, l.line, {text('f.name')} as a,
                              {text('f.file')} as b, {text('f.module')} as c
                              from node n join location l on l.id = n.location
                              join function f on f.id = l.function order by n.id"""):
        number, parent, line, function, file, module = row
        paths[number] = paths[parent or 0] + ((function, file or module or "", line or 0),)
    sums = collections.Counter()
    for pid, tid, node, value in query(path, """
            select p.pid, t.tid, c.node, c.self from cost c left join thread t on t.id = c.thread
            left join process p on p.id = t.process"""):
        sums[pid, tid, paths[node]] += value
    names = {("process", pid): name for pid, name in
             query(path, f"select pid, {text('name')} from process where name")}
    names.update((("thread", pid, tid), name) for pid, tid, name in query(
        path, f"""select p.pid, t.tid, {text('t.name')} from thread t
                  left join process p on p.id = t.process where t.name"""))
    return sums, names


def totals(sums):
    """(function, place, line) -> [self, total], a frame once for each path."""
    result = collections.defaultdict(lambda: [0, 0])
    for (_, _, frames), value in sums.items():
        result[frames[-1]][0] += value
        for each in set(frames):
            result[each][1] += value
    return result


def tsv(path):
    rows = path.read_text(encoding="utf-8").split("\n")
    result = {}
    for row in rows[1:-1]:
        own, total, text = row.split("\t")
        if LABEL.match(text) and not re.match(r'process \d+:"|thread \(', text):
            result[frame(text)] = [int(own), int(total)]
    return int(rows[0].split()[-1]), result


def written(path):
    """What profkit writes of it, read here."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "x.raw"
        done = subprocess.run([PROFKIT, "convert", "-q", "--to", "py-spy", str(path), "-o", str(copy)],
                              capture_output=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr.decode(errors="replace"))
        return expected(copy)


def check(path):
    try:
        got, want = read(path), expected(path)
    except ValueError as error:
        return str(error)
    if got != want:
        return f"{path}: not the same: {list((got[0] - want[0]).items())[:2]}, {got[1]}, {want[1]}"
    again = written(path)
    # Names of processes that ran nothing themselves are in lines of others only.
    here = {pid for pid, _, _ in want[0]}
    names = {k: v for k, v in want[1].items() if k[0] == "thread" or k[1] in here}
    if again != (want[0], names):
        return f"{path}: not the same when written: {list((again[0] - want[0]).items())[:2]}"
    other = path.with_name(path.name + ".expected-totals.tsv")
    if other.exists():
        count, right = tsv(other)
        mine = {k: v for k, v in totals(got[0]).items() if k[1] or k[0][:2] == "0x"}
        if sum(got[0].values()) != count:
            return f"{path}: {sum(got[0].values())} samples, not {count}"
        for key in set(right) | set(mine):
            if right.get(key) != mine.get(key):
                return f"{path}: {key}: {mine.get(key)}, not {right.get(key)}"
        print(f"{path.name}: {count} samples, {len(right)} frames as in {other.name}")
    return None


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    files = sorted({f for pattern in WHERE for f in root.glob(pattern)})
    wrong = [text for text in map(check, files) if text]
    print(f"{len(files)} files")
    for text in wrong:
        print(text)
    if not files:
        print("the corpus has no raw files of py-spy")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
