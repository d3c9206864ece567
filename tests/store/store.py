#!/usr/bin/env python3
"""The same SQL gives the same rows over a file, over the store made of it, and in Python's
sqlite3 on that store, for every fixture that is a profile of one run.

Tables are read whole, by one statement whose rows are texts: a process for each table of
each fixture took ten minutes. What `query` prints of a column is compared for every eighth fixture.
Texts that are not UTF-8 are blobs for Python.
"""
import concurrent.futures
import csv
import io
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

QUERIES = [
    "SELECT * FROM function_cost ORDER BY 1, 2, 3, 4, 5, 6, 7, 11, 12",
    "SELECT * FROM path ORDER BY run, node",
    "SELECT * FROM functions ORDER BY run, id",
    "SELECT * FROM argument ORDER BY run, owner, row, key",
    "SELECT r.run, s.text FROM run r JOIN string s ON s.run = r.run AND s.id = r.format",
    "SELECT p.path, max(c.self), count(*) FROM cost c JOIN path p ON p.run = c.run AND "
    "p.node = c.node GROUP BY p.path ORDER BY 1",
    "SELECT m.metric, count(*), max(self), max(total) FROM function_cost m GROUP BY 1",
]

VIEWS = ["argument", "function_cost", "functions", "path"]


def profkit(*args):
    run = subprocess.run([os.environ["PROFKIT"], *args], stdout=subprocess.PIPE)
    return run.stdout if run.returncode == 0 else None


def ask_profkit(path, sql):
    out = profkit("query", "-q", "--format", "csv", path, sql)
    if out is None:
        sys.exit(f"profkit cannot answer for {path}: {sql}")
    return list(csv.reader(io.StringIO(out.decode(), newline="")))[1:]


def as_text(value):
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, str) else repr(value)


def same(a, b):
    """Numbers may be written differently; they must be equal to the last digit."""
    if a == b or ("\ufffd" in a and "\ufffd" in b):
        return True
    try:
        return float(a) == float(b)
    except ValueError:
        return False


def whole(db):
    """One statement that gives the rows of all tables and of views, each as one text."""
    names = VIEWS + [name for name, in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    parts = []
    for name in names:
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{name}")')]
        text = " || ',' || ".join(f'quote("{column}")' for column in columns)
        parts.append(f"SELECT '{name}' AS name, {text} AS row FROM \"{name}\"")
    return " UNION ALL ".join(parts) + " ORDER BY 1, 2"


def compare(name, sql, how, got, want):
    if len(got) != len(want):
        return f"{name}: {sql}: {len(want)} rows in the file, {len(got)} {how}"
    for g, w in zip(got, want):
        if len(g) != len(w) or not all(map(same, g, w)):
            return f"{name}: {sql}:\n  file {w}\n  {how} {g}"
    return None


def check(path, printed):
    with tempfile.TemporaryDirectory() as work:
        return check_in(path, str(pathlib.Path(work) / "a.db"), printed)


def check_in(path, store, printed):
    if profkit("convert", "-q", str(path), "-o", store) is None:
        return None, []
    db = sqlite3.connect(store)
    if db.execute("SELECT count(*) FROM run").fetchone()[0] != 1:
        return None, []
    wrong = []
    for sql in [whole(db)] + (QUERIES if printed else []):
        want = ask_profkit(str(path), sql)
        wrong.append(compare(path.name, sql, "store", ask_profkit(store, sql), want))
        got = [[as_text(v) for v in row] for row in db.execute(sql)]
        wrong.append(compare(path.name, sql, "python", got, want))
    db.close()
    return True, [w for w in wrong if w]


def main():
    testdata = pathlib.Path(os.environ["TESTDATA"])
    checked, failed = 0, 0
    paths = [path for path in sorted(testdata.glob("*/*"))
             if path.suffix not in (".dump", ".py", ".sh", "") and path.is_file()]
    if os.environ.get("SANITIZE"):  # rows were compared without: here it is memory that counts
        paths = paths[::8]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, wrong in pool.map(check, paths, [i % 8 == 0 for i in range(len(paths))]):
            checked += done is not None
            failed += bool(wrong)
            print("\n".join(wrong[:3]), end="\n" if wrong else "")
    print(f"{checked} files, {failed} differ")
    sys.exit(1 if failed or checked < 20 else 0)


main()
