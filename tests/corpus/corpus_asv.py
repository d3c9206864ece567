#!/usr/bin/env python3
"""Results of asv in the corpus: every result of a combination of parameters, with the unit of benchmarks.json.

The numbers are also found, rounded, in what `asv show` printed (expected-show.txt). Skipped where there is no corpus
(PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import itertools
import json
import sys

from corpus import compare_files, corpus, query

METRICS = {"time": "time", "peakmemory": "peakmem", "memory": "mem"}


def compare(path):
    data = json.loads(path.read_text())
    described = json.loads((path.parent.parent / "benchmarks.json").read_text())
    rows = query(path, "select (select text from string where id = f.name) as n, (select text from string where id = m.name) as k, "
                 "self, m.kind from cost join node n on n.id = node join location l on l.id = n.location "
                 "join function f on f.id = l.function join metric m on m.id = metric")
    got = {(name, metric): self / (1e15 if kind == "time" else 1e3) for name, metric, self, kind in rows}
    count = 0
    for name, columns in data["results"].items():
        column = dict(zip(data["result_columns"], columns))
        kind, unit = described[name]["type"], described[name]["unit"]
        combinations = list(itertools.product(*column["params"]))
        for combination, result in zip(combinations, column["result"] or [None] * len(combinations)):
            full = name + (f"({', '.join(combination)})" if combination else "")
            key = full, METRICS.get(kind, unit)
            if result is None:
                assert key not in got
            else:
                assert abs(got.pop(key) - result) <= max(1e-12 * result, 1e-15), (key, result)
                count += 1
    assert not got, got
    return count


def main():
    return compare_files(sorted(corpus().glob("real/asv/results/*/*-*.json")), compare, "results", 18)


if __name__ == "__main__":
    sys.exit(main())
