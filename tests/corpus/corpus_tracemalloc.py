#!/usr/bin/env python3
"""Every snapshot of tracemalloc in the corpus.

- statistics by line, file and traceback, also cumulative, as Python's tracemalloc computes them of the
  same file (Snapshot.load: the corpus is known; profkit itself executes nothing);
- the texts of statistics and compare_to that the Python printed that recorded it:
  FILE.expected-lineno.txt, NAME-1+2.expected-compare-lineno.txt, and for filename.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import json
import os
import subprocess
import sys
import tracemalloc

from corpus import compare_files, corpus, query

PATHS = """with recursive frame(cost, node, depth) as (
    select id, node, 0 from (select row_number() over () as id, node from cost where metric = 1)
    union all select cost, parent, depth + 1 from frame join node on id = node where parent > 0)
select cost, (select text from string where id = f.file), l.line from frame
join node n on n.id = frame.node join location l on l.id = n.location join function f on f.id = l.function
order by cost, depth desc"""


def run(*args):
    done = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *map(str, args)], capture_output=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.decode(errors="replace"))
    return json.loads(done.stdout)["rows"]


def rows(command, paths, by):
    """{(file, line): row}"""
    return {(row["file"], row["line"]): row
            for row in run(command, "--format", "json", "-n", "0", "--granularity", by[0], "-m", by[1], *paths)}


def size_text(size, sign):
    return tracemalloc._format_size(size, sign)


def text(place, size, count, diff=None):
    """A row as tracemalloc prints it."""
    out = f"{place[0]}:{place[1] or 0}: size={size_text(size, False)}"
    out += f" ({size_text(diff[0], True)})" if diff else ""
    out += f", count={count}" + (f" ({diff[1]:+d})" if diff else "")
    return out + (f", average={size_text(size / count, False)}" if count else "")


def statistics(path, key):
    by = "line" if key == "lineno" else "file"
    sizes, counts = (rows("hotspots", [path], (by, metric)) for metric in ("leaked", "leaked_allocations"))
    return sorted(text(place, sizes[place]["self"] if place in sizes else 0, row["self"])
                  for place, row in counts.items() if row["self"])


def compared(first, second, key):
    by = "line" if key == "lineno" else "file"
    sizes, counts = (rows("diff", [first, second], (by, metric)) for metric in ("leaked", "leaked_allocations"))
    return sorted(text(place, row["after"], counts[place]["after"], (row["delta"], counts[place]["delta"]))
                  for place, row in sizes.items() if counts[place]["before"] or counts[place]["after"])


def expected(path):
    return sorted(path.read_text().splitlines())


def equal(got, want, what):
    assert got == want, (what, [row for row in got if row not in want][:3], [row for row in want if row not in got][:3])


def stacks(path):
    """{((file, line), ...): (size, count)}"""
    costs = query(path, "select metric, self from cost order by rowid")
    sizes = [value for metric, value in costs if metric == 1]
    counts = [value for metric, value in costs if metric == 2]
    found = {}
    for cost, file, line in query(path, PATHS):
        found.setdefault(cost, []).append((file, line))
    total = {}
    for size, count, frames in zip(sizes, counts, found.values()):
        before = total.get(tuple(frames), (0, 0))
        total[tuple(frames)] = (before[0] + size, before[1] + count)
    return total


def compare(path):
    snapshot = tracemalloc.Snapshot.load(path)
    if any(len(trace) == 3 for trace in snapshot.traces._traces):  # Python 3.8
        snapshot.traces._traces = [(*trace, None) for trace in snapshot.traces._traces]
    got = stacks(path)
    want = {tuple((f.filename, f.lineno) for f in s.traceback): (s.size, s.count)
            for s in snapshot.statistics("traceback")}
    assert got == want, "traceback"
    for key in ("lineno", "filename"):
        equal(statistics(path, key), sorted(map(str, snapshot.statistics(key))), key)
        sums = {}
        for frames, (size, count) in got.items():
            for file, line in frames:
                place = (file, line if key == "lineno" else 0)
                before = sums.get(place, (0, 0))
                sums[place] = (before[0] + size, before[1] + count)
        equal(sorted(text(place, *values) for place, values in sums.items()),
              sorted(map(str, snapshot.statistics(key, True))), key + " cumulative")
    done = 0
    for key in ("lineno", "filename"):
        texts = path.with_name(f"{path.name}.expected-{key}.txt")
        if texts.exists():
            equal(statistics(path, key), expected(texts), texts.name)
            done += 1
        texts = path.with_name(f"{path.stem[:-1]}1+2.expected-compare-{key}.txt")
        if path.stem.endswith("-2") and texts.exists():
            equal(compared(path.with_name(path.name.replace("-2.", "-1.")), path, key), expected(texts), texts.name)
            done += 1
    return done


def main():
    files = sorted(corpus().glob("*/tracemalloc/*.pickle"))
    return compare_files(files, compare, "texts", 24)


if __name__ == "__main__":
    sys.exit(main())
