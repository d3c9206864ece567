#!/usr/bin/env python3
"""Results of Google Benchmark in the corpus: all their values, means of aggregates alone, and what has none.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import csv
import json
import pathlib
import sys

from corpus import look_at_corpus, query

UNITS = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1}
NO_COUNTER = {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions", "threads",
              "repetition_index", "iterations", "time_unit", "label", "aggregate_name", "aggregate_unit"}


def rows_of(path):
    if path.suffix == ".json":
        return json.loads(path.read_text())["benchmarks"]
    rows = []
    for row in csv.DictReader(path.read_text().splitlines()):
        kind = "iteration" if row["iterations"] else "aggregate"
        rows.append({k: v if k in ("name", "time_unit", "label") else float(v) for k, v in row.items() if v and k[:5] != "error"}
                    | {"run_name": row["name"], "run_type": kind, "error_occurred": row["error_occurred"] == "true"})
    return rows


def expected(rows):
    values, means = [], {}
    for row in rows:
        if row.get("error_occurred") or row["run_type"] != "iteration" and row.get("aggregate_name") != "mean":
            continue
        for key, value in row.items():
            if key in NO_COUNTER or isinstance(value, bool):
                continue
            metric = {"real_time": "time"}.get(key, key)
            number = value / UNITS[row["time_unit"]] if key in ("real_time", "cpu_time") else value
            if row["run_type"] == "iteration":
                values.append([row["run_name"], metric, number])
            else:
                means[row["run_name"], metric] = number
    return values, means


SQL = """from {0} v join node n on n.id = v.node join location l on l.id = n.location join function f on f.id = l.function
join metric m on m.id = v.metric join string s on s.id = f.name join string t on t.id = m.name"""


def look(root):
    wrong, count = [], 0
    for path in sorted((pathlib.Path(root) / "real/google-benchmark").glob("sort*.*")):
        if path.suffix not in (".json", ".csv"):
            continue
        values, means = expected(rows_of(path))
        got = query(path, f"select s.text, t.text, v.value {SQL.format('value')}")
        count += len(values) + len(means)
        if sorted(got) != sorted(values):
            wrong.append(f"{path}: {[(a, b) for a, b in zip(sorted(got), sorted(values)) if a != b][:3]}")
        for name, metric, value, exponent, kind in query(
                path, f"select s.text, t.text, v.self, m.exponent, m.kind {SQL.format('cost')}"):
            mean = means.get((name, metric))
            real = value / 10**exponent / (1e9 if kind == "time" or kind == 1 else 1)
            if mean is not None and abs(real - mean) > 1e-9 * mean + 1e-15:
                wrong.append(f"{path}: mean of {name}, {metric}: {real}, not {mean}")
    return wrong, count


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
