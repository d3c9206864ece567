#!/usr/bin/env python3
"""Exports of Nsight Systems: totals of kernels, calls, copies and ranges are those of the tables beside each file, which were
worked out from the rows alone. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import csv
import os
import re
import subprocess
import sys

from corpus import corpus, query, compare_files

DIRECTIONS = {"H": "Host", "D": "Device", "A": "Array", "P": "Peer"}
SPANS = """SELECT f.text AS name, c.text AS category, s.duration, s.time, d.text AS process, t.tid, s.id FROM span s JOIN node n ON n.run = s.run AND n.id = s.node
JOIN location l ON l.run = s.run AND l.id = n.location JOIN function g ON g.run = s.run AND g.id = l.function
JOIN string f ON f.run = s.run AND f.id = g.name JOIN string c ON c.run = s.run AND c.id = s.category
JOIN thread t ON t.run = s.run AND t.id = s.thread JOIN process p ON p.run = s.run AND p.id = t.process
LEFT JOIN string d ON d.run = s.run AND d.id = p.name"""


def operation(name):
    """What nsys calls a copy or fill."""
    if name.startswith("Memset"):
        return "[CUDA memset]"
    unified = "Unified " if "Unified" in name else ""
    one, other = re.match(r"Memcpy (\w)to(\w)", name).groups()
    return f"[CUDA memcpy {unified}{DIRECTIONS[one]}-to-{DIRECTIONS[other]}]"


def table(path, report):
    file = path.with_name(f"{path.stem}.expected-{report}.csv")
    return list(csv.DictReader(file.open(newline=""))) if file.exists() else []


def sums(rows, name=lambda n: n):
    total = collections.defaultdict(lambda: [0, 0, float("inf"), 0])
    for row in rows:
        t = total[name(row[0])]
        t[0] += row[2]
        t[1] += 1
        t[2], t[3] = min(t[2], row[2]), max(t[3], row[2])
    return dict(total)


def expected(rows, name="Name", count="Instances", key=lambda n: n):
    total = {}
    for row in rows:
        t = total.setdefault(key(row[name]), [0, 0, float("inf"), 0])
        t[0] += int(row["Total Time (ns)"])
        t[1] += int(row[count])
        t[2], t[3] = min(t[2], int(row["Min (ns)"])), max(t[3], int(row["Max (ns)"]))
    return total


def compare_sums(path, rows):
    """How many rows of the tables were found."""
    of = collections.defaultdict(list)
    for row in rows:
        of[row[1]].append(row)
    operator = re.compile(r", (seq|op_id|sizes) = .*")
    pairs = [
        (sums(of["kernel"]), expected(table(path, "cuda_gpu_kern_sum"))),
        (sums(of["cuda_runtime"] + of["cuda_driver"]), expected(table(path, "cuda_api_sum"))),
        (sums(of["gpu_memcpy"] + of["gpu_memset"], operation),
         expected(table(path, "cuda_gpu_mem_time_sum"), "Operation", "Count")),
    ]
    if table(path, "osrt_sum"):
        # rows that say when the recording of calls began and ended are no calls
        calls = [r for r in table(path, "osrt_sum") if not r["Name"].startswith("OS runtime libraries profiling")]
        pairs.append((sums(of["osrt"]), expected(calls)))
    if table(path, "nvtx_sum"):
        pairs.append((sums(of["nvtx"] + of["cpu_op"]),
                      expected(table(path, "nvtx_sum"), "Range", key=lambda n: operator.sub("", re.sub("^:", "", n)))))
    for got, want in pairs:
        wrong = [(n, got.get(n), want.get(n)) for n in sorted(set(got) | set(want)) if got.get(n) != want.get(n)]
        assert not wrong, wrong[:3]
    return sum(len(want) for _, want in pairs)


def compare_streams(path, rows):
    base = int((query(path, "SELECT ifnull(clock_offset, 0) FROM run") or [[0]])[0][0])
    streams = {}
    for row in rows:
        if row[1] == "kernel":
            streams.setdefault((row[4], row[5]), []).append((row[3] + base, row[3] + base + row[2]))
    want = table(path, "kernels-by-device-stream")
    assert len(want) == len(streams), streams.keys()
    for row in want:
        spans = sorted(streams[f"GPU {row['device']}", int(row["stream"])])
        busy = end = 0
        for a, b in spans:
            busy += max(0, b - max(a, end))
            end = max(end, b)
        got = [len(spans), busy, sum(b - a for a, b in spans), spans[0][0], end]
        assert got == [int(v) for v in list(row.values())[2:]], (got, row)


def compare_bytes(path):
    """Also that arguments belong to the spans that they were read with."""
    want = {row["Operation"]: (int(row["Total (B)"]), int(row["Count"])) for row in table(path, "mem_size_bytes")}
    got = collections.defaultdict(lambda: [0, 0])
    for name, size in query(path, f"SELECT q.name, a.value FROM ({SPANS}) q JOIN argument a ON a.owner = 'span' "
                                  "AND a.row = q.id AND a.key = 'bytes' WHERE q.category LIKE 'gpu_mem%'"):
        got[operation(name)][0] += size
        got[operation(name)][1] += 1
    assert {k: tuple(v) for k, v in got.items()} == want, got


# What profkit prints like nsys, and the table beside the files. These have the names and headings of the rows, which nsys prints
# without versions of four digits; its own table of calls has "Num Calls".
LIKE = ["cuda_gpu_kern_sum", "cuda_api_sum", "cuda_gpu_mem_time_sum"]


def compare_like(path):
    for report in LIKE:
        file = path.with_name(f"{path.stem}.expected-{report}.csv")
        if not file.exists():
            continue
        want = re.sub(r"_v\d{4}$", "", file.read_text().replace("\r\n", "\n"), flags=re.M)
        if report == "cuda_api_sum":
            want = want.replace("Instances", "Num Calls", 1)
        run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "gpu", "-q", "--like", "nsys-" + report, str(path)],
                             capture_output=True, check=True, text=True)
        got = run.stdout.replace("\r\n", "\n")
        wrong = [pair for pair in zip(got.split("\n"), want.split("\n")) if pair[0] != pair[1]]
        assert got == want, (report, wrong[:2])


def compare_samples(path):
    import sqlite3
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'SAMPLING_CALLCHAINS'").fetchone():
        return
    want = collections.Counter(row[0] for row in db.execute(
        "SELECT s.value FROM COMPOSITE_EVENTS e JOIN SAMPLING_CALLCHAINS c ON c.id = e.id AND c.stackDepth = 0 "
        "JOIN StringIds s ON s.id = c.symbol"))
    got = query(path, "SELECT t.text, count(*) FROM sample s JOIN node n ON n.run = s.run AND n.id = s.node "
                      "JOIN location l ON l.run = s.run AND l.id = n.location JOIN function f ON f.run = s.run AND f.id = l.function "
                      "JOIN string t ON t.run = s.run AND t.id = f.name GROUP BY 1")
    assert {name: count for name, count in got} == dict(want), got[:3]


def compare_launches(path):
    """Flows lead from a call to the work that it launched: the work begins later, in the process of the call."""
    import sqlite3
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    columns = [row[1] for row in db.execute("PRAGMA table_info(CUPTI_ACTIVITY_KIND_KERNEL)")]
    same = "AND r.globalTid >> 24 = k.globalPid >> 24" if "globalPid" in columns else ""
    tables = [t for t in ("KERNEL", "MEMCPY", "MEMSET")
              if db.execute(f"SELECT 1 FROM sqlite_master WHERE name = 'CUPTI_ACTIVITY_KIND_{t}'").fetchone()]
    want = sum(db.execute(f"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_{t} k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
                          f"ON r.correlationId = k.correlationId {same}").fetchone()[0] for t in tables)
    got = query(path, "SELECT count(*) FROM flow")[0][0]
    assert got == want, (got, want)
    return want


def compare(path):
    rows = query(path, SPANS)
    for row in rows:
        assert row[2] >= 0, row
    count = compare_sums(path, rows)
    compare_streams(path, rows)
    compare_bytes(path)
    compare_launches(path)
    compare_samples(path)
    compare_like(path)
    for command in (["gpu"], ["summary"], ["timeline", "-o", "/dev/null"], ["convert", "--to", "chrome", "-o", "/dev/null"]):
        run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *command, str(path)], capture_output=True, check=False)
        assert run.returncode == 0, run.stderr[-300:]
    return count


if __name__ == "__main__":
    sys.exit(compare_files(sorted(corpus().glob("real/nsys/*.sqlite")), compare, "rows of tables", 500))
