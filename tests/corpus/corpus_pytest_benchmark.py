#!/usr/bin/env python3
"""pytest-benchmark's statistics of every file in the corpus, made again from the values where there are values.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import json
import os
import subprocess
import sys

from corpus import compare_files, corpus

# what pytest-benchmark calls them: times in seconds, then numbers
TIMES = {name: name for name in ("mean", "stddev", "median", "min", "max", "q1", "q3")}
COUNTS = {"rounds": "rounds", "stddev_outliers": "outside_stddev", "iqr_outliers": "outliers"}


def profkit(*args):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *map(str, args)], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return run.stdout.decode()


def compare(path):
    benchmarks = json.loads(path.read_text())["benchmarks"]
    rows = json.loads(profkit("hotspots", "--format", "json", path))["rows"]
    got = {"::".join(filter(None, (row["file"], row["module"], row["benchmark"]))): row for row in rows}
    count = 0
    assert len(rows) == len(benchmarks)
    for b in benchmarks:
        row, stats = got[b["fullname"]], b["stats"]
        assert row["group"] == b["group"]
        for theirs, ours in TIMES.items():
            assert abs(row[ours] - stats[theirs] * 1e9) <= 2e-15 * stats[theirs] * 1e9, (b["fullname"], theirs, row)
        for theirs, ours in COUNTS.items():
            assert row[ours] == stats[theirs], (b["fullname"], theirs, row)
        count += len(TIMES) + len(COUNTS)
    return count


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def compare_tables(folder):
    """The tables of pytest-benchmark compare of version V, and of the run that saved the first file."""
    version = folder.name.split("-")[1]
    files = sorted(folder.rglob("*.json"))
    expected = lambda name: (folder.parent / name.format(version)).read_text()
    like = lambda *args: profkit("hotspots", "--like", "pytest-benchmark", *args)
    assert like(*files) == expected("compare-{}.expected.txt")
    assert like("--group-by", "fullname", "--sort", "mean", "--names", "short", "--columns",
                "min,mean,stddev,median,rounds,iterations", *files) == expected("compare-{}-group-name.expected.txt")
    if version == "5.3.1":
        assert like("--unit", "ns", "--sort", "name", "--group-by", "func", *files) == \
            expected("compare-{}-unit-ns.expected.txt")
    # older versions crashed after the first rows
    table = like("--format", "csv", *files).splitlines()
    csv = expected("compare-{}.expected.csv").splitlines()
    assert table[:len(csv)] == csv and len(csv) > (20 if version == "5.3.1" else 2), table
    missing = set(lines(like(files[0]))) - set(lines(expected("run1-{}.expected-console.txt")))
    assert not missing, missing
    return 4


def main():
    root = corpus()
    if compare_files(sorted((root / "real/pytest-benchmark").glob("storage-*")), compare_tables, "tables", 12) == 1:
        return 1
    files = sorted((root / "real/pytest-benchmark").rglob("*.json"))
    return compare_files(files + sorted((root / "generated/pytest-benchmark").glob("*.json")), compare, "statistics", 900)


sys.exit(main())
