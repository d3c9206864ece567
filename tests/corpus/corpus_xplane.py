#!/usr/bin/env python3
"""Recordings of XLA (xplane.pb): their lines are those that xprof and jax.profiler.ProfileData read of the same files, their spans
those of the JSON (trace.json.gz) of the same recording, and the kernels of gpu those of xprof's kernel_stats. A file that git damaged is
refused. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import json
import os
import subprocess
import sys

from corpus import corpus, query, compare_files

LINES = """SELECT q.text AS process, t.tid, w.text AS name, count(*), sum(s.duration), min(s.time) FROM span s
JOIN thread t ON t.run = s.run AND t.id = s.thread JOIN string w ON w.run = s.run AND w.id = t.name
JOIN process p ON p.run = s.run AND p.id = t.process JOIN string q ON q.run = s.run AND q.id = p.name GROUP BY 1, 2"""
SPANS = "SELECT time, duration, function, file, line, thread, tid, pid FROM spans ORDER BY time, tid, duration DESC, function"
ARGS = """SELECT s.time, s.duration, s.tid, s.function, a.key, a.value FROM spans s JOIN argument a ON a.owner = 'span' AND a.row = s.id
WHERE a.key NOT IN ('program_id', 'symbol_id', 'flops', '_r') ORDER BY 1, 2 DESC, 3, 4, 5, 6"""


def first_time(path):
    return query(path, "SELECT clock_offset FROM run")[0][0] or 0


def near(ns, ps, count):
    """Each event is rounded to whole ns."""
    return abs(ns * 1000 - ps) <= 500 * count


def compare_lines(path):
    """Counts, sums and begins of all lines against xprof's reading: how many lines."""
    file = path.with_name(path.name.replace("xplane.pb", "expected-xplane-wire.json"))
    if not file.exists():
        return 0
    base = first_time(path)
    # lanes of work that overlaps have the number of their line
    got = {(process, tid): row for process, tid, *row in query(path, LINES)}
    compared = 0
    for plane in json.loads(file.read_text())["planes"]:
        for line in plane["lines"]:
            if not line["events"]:
                continue
            tid = (line["display_id"] or line["id"]) & 0xffffffff
            name, count, total, first = got.pop((plane["name"], tid))
            assert count == line["events"] and near(total, line["sum_duration_ps"], count), (name, count, total, line)
            assert near(first + base - line["timestamp_ns"], line["first_offset_ps"], 1), (name, first, base, line)
            compared += 1
    assert not got, got
    return compared


def compare_summary(path):
    """Against jax.profiler.ProfileData: lines, and the names of their events with sums."""
    file = path.with_name(path.name.replace("xplane.pb", "expected-xplane-summary.json"))
    if not file.exists():
        return 0
    got = collections.Counter()
    sums = collections.Counter()
    for thread, total, count in query(path, "SELECT thread, sum(duration), count(*) FROM spans GROUP BY tid"):
        sums[thread, count] += 1
        got[thread, count] += total
    compared = 0
    for plane in json.loads(file.read_text())["planes"]:
        for line in plane["lines"]:
            key = line["name"], line["events"]
            assert sums[key], (key, sorted(sums))
            if sums[key] == 1:
                assert near(got[key], line["sum_duration_ps"], line["events"]), (key, got[key], line["sum_duration_ps"])
            compared += 1
    return compared


def text(value):
    """Values of the JSON are texts, also those that are numbers."""
    try:
        return repr(float(value)) if isinstance(value, float) or "." in str(value) else str(value)
    except ValueError:
        return str(value)


def compare_json(path):
    """All spans and arguments of the JSON: how many."""
    other = path.with_name(path.name.replace(".xplane.pb", ".trace.json.gz"))
    if not other.exists():
        return 0
    compared = 0
    for sql in SPANS, ARGS:
        got, want = query(path, sql), query(other, sql)
        got, want = [list(map(text, row)) for row in got], [list(map(text, row)) for row in want]
        assert got == want, next(pair for pair in zip(got, want) if pair[0] != pair[1])
        compared += len(got)
    assert first_time(path) == first_time(other)
    return compared


def compare_kernels(path):
    """Calls, total, least and most of each kernel against xprof's kernel_stats: how many kernels."""
    file = path.with_name(path.name.replace("xplane.pb", "expected-xprof-kernel_stats.json"))
    table = json.loads(file.read_text())
    table = table[0] if isinstance(table, list) else table
    names = [column["id"] for column in table["cols"]]
    want = {}
    for row in table["rows"]:
        row = dict(zip(names, (cell["v"] for cell in row["c"])))
        w = want.setdefault(row["kernel_name"], [0, 0, float("inf"), 0])
        w[0] += row["occurrences"]
        w[1] += row["total_duration_us"]
        w[2], w[3] = min(w[2], row["min_duration_us"]), max(w[3], row["max_duration_us"])
    if not want:
        return 0
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "gpu", "--view", "kernels", "--whole", "--format", "json", "-n", "0", str(path)],
                         capture_output=True, check=True)
    got = {row["name"]: row for row in json.loads(run.stdout)["rows"] if row["kind"] != "copy"}
    assert set(got) == set(want), set(got) ^ set(want)
    for name, (calls, total, least, most) in want.items():
        row = got[name]
        assert row["calls"] == calls, (name, row, calls)
        for key, value in ("total", total), ("min", least), ("max", most):
            assert abs(row[key] / 1000 - value) < 0.0015 * (calls if key == "total" else 1), (name, key, row, value)
    return len(want)


def compare(path):
    if path.name.startswith("tpu_inference_2"):
        run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "info", str(path)], capture_output=True, check=False)
        assert run.returncode == 2, run
        return 1
    lines, summary, spans, kernels = compare_lines(path), compare_summary(path), compare_json(path), compare_kernels(path)
    print(f"{path.parent.name}/{path.name}: {lines} lines of the wire, {summary} lines of ProfileData, {spans} spans and arguments of the "
          f"JSON, {kernels} kernels of xprof")
    return lines + summary + spans + kernels


if __name__ == "__main__":
    files = [file for pattern in ("real/jax/*.xplane.pb", "peers/TraceLens/**/*.xplane.pb", "peers/xprof/**/*.xplane.pb")
             for file in sorted(corpus().glob(pattern))]
    sys.exit(compare_files(files, compare, "lines, spans, arguments and kernels", 30000))
