#!/usr/bin/env python3
"""Every .dat file of mprof in the corpus: all its values and calls, and the peaks that mprof prints.

FILE.expected-mprof-peak.txt is what `mprof peak FILE` printed (not by 0.57, which has no such
command). Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source
folder).
"""
import os
import subprocess
import sys

from corpus import compare_files, corpus, query

MIB = 1048576


def expected(path):
    values, calls = {}, []
    for line in path.read_text().splitlines():
        kind, *rest = line.split(" ")
        if kind == "MEM":
            values.setdefault(None, []).append((float(rest[0]), float(rest[1])))
        elif kind == "CHLD":
            values.setdefault(int(rest[0]), []).append((float(rest[1]), float(rest[2])))
        elif kind == "FUNC":
            calls.append((rest[0], *map(float, rest[1:5])))
    first = min([t for rows in values.values() for _, t in rows] + [call[2] for call in calls])
    return values, sorted(calls), first


def peaks(path):
    """[(pid or None, "85.102")] as mprof printed them."""
    found = []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[-1:] == ["MiB"]:
            found.append((int(words[1]) if words[0] == "Child" else None, words[-2]))
    return found


def highest_in(values, calls):
    """As mprof peak --func finds it."""
    found = {}
    for name, _, begin, _, end in calls:
        found.setdefault(name, []).extend(mib for mib, time in values if begin <= time <= end)
    return {name: max(rows) for name, rows in found.items() if rows}


def near(a, b, error):
    return abs(a - b) <= error


def compare(path):
    values, calls, first = expected(path)
    got = {}
    for pid, value, time in query(path, "select pid, value, time from counter join process on process.id = process"):
        got.setdefault(pid, []).append((value, time))
    assert got.keys() == values.keys(), (got.keys(), values.keys())
    for pid, rows in values.items():
        assert len(rows) == len(got[pid])
        for (mib, time), (value, at) in zip(rows, got[pid]):
            assert near(mib * MIB, value, 1) and near((time - first) * 1e9, at, 1000), (pid, mib, value)
    spans = query(path, "select (select text from string where id = f.module) || '.' || "
                  "(select text from string where id = f.name), s.time, s.duration from span s "
                  "join node n on n.id = s.node join location l on l.id = n.location "
                  "join function f on f.id = l.function")
    want = sorted((name, round((begin - first) * 1e4), round((end - begin) * 1e4))
                  for name, _, begin, _, end in calls)
    assert want == sorted((name, round(time / 1e5), round(length / 1e5)) for name, time, length in spans), spans
    outer = sum(last - before for _, before, begin, last, end in calls
                if not any(b <= begin and end <= e and e - b > end - begin for _, _, b, _, e in calls))
    total = query(path, "select sum(self) from cost join metric on metric.id = metric "
                  "and metric.name = (select id from string where text = 'increment')")[0][0] or 0
    assert near(total, outer * MIB, 1000), (total, outer)
    printed = peaks(path.with_name(path.name + ".expected-mprof-peak.txt"))
    for pid, mib in printed:
        assert mib == f"{max(value for value, _ in got[pid]) / MIB:.3f}", (pid, mib)
    peak = query(path, "select self from cost join metric on metric.id = metric "
                 "and metric.name = (select id from string where text = 'peak')")
    like = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "memory", "-q", "--like", "mprof-peak", path.name],
                          capture_output=True, check=True, text=True, cwd=path.parent).stdout
    for name, highest in highest_in(values[None], calls).items():
        said = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "memory", "-q", "--like", "mprof-peak", "--func", name,
                               path.name], capture_output=True, check=True, text=True, cwd=path.parent).stdout
        assert said.splitlines()[0] == f"{path.name}\t{highest:.3f} MiB", (name, said)
    assert not printed or like == path.with_name(path.name + ".expected-mprof-peak.txt").read_text(), like
    assert not printed or f"{peak[0][0] / MIB:.3f}" == printed[0][1], peak
    return len(printed)


def main():
    files = sorted(corpus().glob("real/memory_profiler/*.dat"))
    return compare_files(files, compare, "peaks", 12)


if __name__ == "__main__":
    sys.exit(main())
