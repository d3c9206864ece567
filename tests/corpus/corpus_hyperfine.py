#!/usr/bin/env python3
"""Every export of hyperfine in the corpus: all values of the JSON, the means of the CSV of the same run, and that
hotspots --like prints and exports the same, byte for byte.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import csv
import json
import os
import subprocess
import sys

from corpus import compare_files, corpus, query

NAMES = "(select text from string where id = f.name), (select text from string where id = m.name)"
JOINS = ("join node n on n.id = node join location l on l.id = n.location join function f on f.id = l.function "
         "join metric m on m.id = metric")


def means(path):
    return {(name, metric): self / 1e12 for name, metric, self in
            query(path, f"select {NAMES}, self from cost {JOINS}")}


def labels(path):
    """Parameters by the name of the command, as a sorted list."""
    found = {}
    for name, labels in query(path, f"select {NAMES.split('),')[0]}), labels from cost {JOINS} where m.id = 1"):
        rows = query(path, f"with recursive s(id) as (select {labels or 0} union all select rest from label_set "
                     "join s on s.id = label_set.id) select (select text from string where id = key) as k, "
                     "(select text from string where id = label_set.text) as t from s join label_set using (id)")
        found[name] = sorted(map(tuple, rows))
    return found


LIKES = {"hyperfine": ".stdout.txt", "hyperfine-markdown": ".md", "hyperfine-asciidoc": ".adoc", "hyperfine-csv": ".csv"}


def like(path):
    for name, suffix in LIKES.items():
        got = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "hotspots", "-q", "--like", name, str(path)],
                             capture_output=True, check=True).stdout
        assert got == path.with_suffix(suffix).read_bytes(), (name, got)
    return len(LIKES)


def compare(path):
    if path.suffix == ".csv":
        rows = list(csv.DictReader(path.open()))
        got, count = means(path), 0
        for row in rows:
            for key, metric in (("mean", "time"), ("user", "user"), ("system", "system")):
                assert abs(float(row[key]) - got[row["command"], metric]) < 1e-12, (row, metric)
                count += 1
        return count
    results = json.loads(path.read_text())["results"]
    times, got, set_of = {}, means(path), labels(path)
    for name, value in query(path, f"select {NAMES.split('),')[0]}), value.value from value {JOINS} order by value.rowid"):
        times.setdefault(name, []).append(value)
    for result in results:
        name = result["command"]
        # the query prints 15 digits
        assert [f"{t:.12g}" for t in result["times"]] == [f"{t:.12g}" for t in times[name]], (name, times[name])
        for key, metric in (("mean", "time"), ("user", "user"), ("system", "system")):
            assert abs(result[key] - got[name, metric]) < 1e-12, (name, metric)
        assert set_of[name] == sorted(result.get("parameters", {}).items()), set_of
    assert len(times) == len(results)
    return like(path) + sum(len(result["times"]) + 3 for result in results)


def main():
    folder = corpus() / "real/hyperfine"
    return compare_files(sorted(folder.glob("*.json")) + sorted(folder.glob("*.csv")), compare, "values, means and texts", 150)


if __name__ == "__main__":
    sys.exit(main())
