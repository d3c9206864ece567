#!/usr/bin/env python3
"""Tables written as Parquet hold what the same tables hold in a store: every row of every table, as a reader made by the specification
reads them (parquet_file.py), and pyarrow, DuckDB and polars where they are installed; statistics are the smallest and largest values.
"""
import importlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import parquet_file

SKIP = 77
TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
PROFKIT = os.environ.get("PROFKIT", "./profkit")
FILES = [["example/before.prof"], ["example/before.prof", "example/after.prof"], ["example/orders.folded"], ["torch/gpu.json"],
         ["chrome/flows.json"], ["-0.0"], ["go-bench/text.txt"], ["callgrind/plain.out"], ["memray/all.bin"], ["perfetto/tracks.pftrace"]]


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def readers():
    """By name: a function that returns the columns of a file and its rows."""
    found = {}
    if zstd := parquet_file.library():
        found["parquet_file.py"] = lambda path: parquet_file.read(path, zstd)
    if library("pyarrow"):
        parquet = library("pyarrow.parquet")

        def pyarrow(path):
            table = parquet.read_table(path)
            return table.schema.names, [tuple(row.values()) for row in table.to_pylist()]
        found["pyarrow"] = pyarrow
    if duck := library("duckdb"):
        def duckdb(path):
            table = duck.connect().execute(f"SELECT * FROM read_parquet('{path}')")
            return [column[0] for column in table.description], table.fetchall()
        found["duckdb"] = duckdb
    if frames := library("polars"):
        def polars(path):
            table = frames.read_parquet(path)
            return table.columns, table.rows()
        found["polars"] = polars
    return found


def from_store(db, table, columns, texts):
    """The rows of a table; columns in `texts` refer to texts or are texts."""
    strings = {(run, number): text for run, number, text in db.execute("SELECT run, id, text FROM string")}
    rows = []
    for row in db.execute(f"SELECT {', '.join(chr(34) + c + chr(34) for c in columns)} FROM \"{table}\""):
        rows.append(tuple(strings[row[0], v] if c in texts and isinstance(v, int) else v for c, v in zip(columns, row)))
    return rows


def comparable(columns, rows):
    """Without the label, which a store makes up; unsigned numbers and zeros as SQLite has them."""
    def as_stored(v):
        return v - 2**64 if isinstance(v, int) and v >= 2**63 else v + 0.0 if isinstance(v, float) else v
    label = columns.index("label") if "label" in columns else -1
    return sorted(repr([as_stored(v) for i, v in enumerate(row) if i != label]) for row in rows)


def check_statistics(path, problems):
    parquet = library("pyarrow.parquet")
    data = parquet.ParquetFile(path)
    for group in range(data.metadata.num_row_groups):
        rows = data.read_row_group(group)
        for i, name in enumerate(rows.schema.names):
            statistics = data.metadata.row_group(group).column(i).statistics
            values = [v for v in rows.column(i).to_pylist() if v is not None]
            if statistics.null_count != rows.num_rows - len(values):
                problems.append(f"{path}: {name}: {statistics.null_count} nulls, {rows.num_rows - len(values)} are there")
            if not statistics.has_min_max:
                continue
            order = (lambda text: text.encode()) if isinstance(values[0], str) else None
            least, most = min(values, key=order), max(values, key=order)
            if (statistics.min, statistics.max) != (least, most):
                problems.append(f"{path}: {name}: bounds {statistics.min}, {statistics.max}; values {least}, {most}")


def trace_of(folder, value):
    """A trace with a counter of this value alone."""
    path = pathlib.Path(folder, "trace.json")
    path.write_text('{"traceEvents": [{"ph": "C", "name": "n", "pid": 1, "ts": 0, "args": {"v": %s}}]}' % value)
    return str(path)


def check(folder, files, found, problems):
    inputs = [trace_of(folder, f) if f == "-0.0" else str(TESTDATA / f) for f in files]
    subprocess.run([PROFKIT, "convert", "-q", *inputs, "-o", f"{folder}/x.parquet/"], check=True)
    subprocess.run([PROFKIT, "convert", "-q", *inputs, "-o", f"{folder}/x.db", "--force"], check=True)
    db = sqlite3.connect(f"{folder}/x.db")
    rows = 0
    for path in sorted(pathlib.Path(folder, "x.parquet").iterdir()):
        for name, read in found.items():
            try:
                columns, got = read(path)
            except AssertionError as problem:
                problems.append(f"{files}: {path.stem} by {name}: {problem}")
                continue
            texts = {c for i, c in enumerate(columns) if any(isinstance(row[i], str) for row in got)}
            wanted = from_store(db, path.stem, columns, texts)
            if comparable(columns, got) != comparable(columns, wanted):
                problems.append(f"{files}: {path.stem} by {name}: {len(got)} rows, not those {len(wanted)} of the store")
            rows += len(got)
        if "pyarrow" in found:
            check_statistics(path, problems)
    db.close()
    return rows


def main():
    found = readers()
    if not found:
        print("SKIP: neither libzstd, pyarrow, duckdb nor polars is installed")
        return SKIP
    problems, rows = [], 0
    for files in FILES:
        with tempfile.TemporaryDirectory() as folder:
            rows += check(folder, files, found, problems)
    print(f"{rows} rows of {len(FILES)} inputs by {', '.join(found)}")
    for problem in problems:
        print(problem)
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
