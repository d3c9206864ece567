#!/usr/bin/env python3
"""Results of Go's benchmarks in the corpus: their values, and the tables that benchstat printed of them.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from corpus import look_at_corpus, query

PROFKIT = os.path.abspath(os.environ.get("PROFKIT", "./profkit"))
SCALE = {"ns/op": ("time", 1e-9), "MB/s": ("B/s", 1e6), "B/op": ("bytes", 1), "allocs/op": ("allocs", 1),
         "p99-ns/op": ("p99-sec/op", 1e-9)}

# The expected file, and the options and files that made it; FILE=NAME: under another name.
TABLES = [
    ("sort-old+new.expected-benchstat.txt", "sort-old.txt sort-new.txt"),
    ("sort-old+new.expected-benchstat.csv", "--format csv sort-old.txt sort-new.txt"),
    ("sort-old+new.expected-benchstat-alpha0.001-confidence0.9.txt",
     "--alpha 0.001 --confidence 0.9 sort-old.txt sort-new.txt"),
    ("sort-old.expected-benchstat.txt", "sort-old.txt"),
    ("sort-old.expected-benchstat.csv", "--format csv sort-old.txt"),
    ("sort-three.expected-benchstat.txt", "sort-old.txt=before sort-new.txt=after sort-old.txt=third"),
    ("sort-cpus.expected-benchstat.txt", "sort-cpus.txt"),
    ("sort-cpus.expected-benchstat-filter-Sort.txt", "--match ^Sort/ sort-cpus.txt"),
    ("sort-cpus.expected-benchstat-col-gomaxprocs.txt", "--column /gomaxprocs sort-cpus.txt"),
    ("sort-old.expected-benchstat-col-name-row-n.txt", "--column .name --row /n sort-old.txt"),
    ("sort-old+new.expected-benchstat-ignore-file.txt", "-m bytes sort-old.txt sort-new.txt"),
    ("sort-verbose.expected-benchstat-table-config.txt", "sort-verbose.txt"),
    ("sort-verbose.expected-benchstat.txt", "sort-verbose.txt"),
]


def text_of(path):
    if path.suffix != ".jsonl":
        return path.read_text()
    return "".join(json.loads(line).get("Output", "") for line in path.read_text().splitlines())


def values_of(path):
    found = []
    for line in text_of(path).splitlines():
        m = re.match(r"Benchmark(\S+)\s+(\d+)\s+(\S.*)", line)
        if m:
            fields = m[3].split()
            for value, unit in zip(fields[::2], fields[1::2]):
                metric, scale = SCALE.get(unit, (unit, 1))
                found.append([m[1], metric, float(value) * scale, int(m[2])])
    return found


def look(root):
    folder, wrong, count = pathlib.Path(root).resolve() / "real/go-bench", [], 0
    for path in [*sorted(folder.glob("*.txt")), *sorted(folder.glob("*.jsonl"))]:
        if "expected" in path.name:
            continue
        got = query(path, "select s.text, t.text, v.value, v.iterations from value v join node n on n.id = v.node join "
                    "location l on l.id = n.location join function f on f.id = l.function join metric m on "
                    "m.id = v.metric join string s on s.id = f.name join string t on t.id = m.name order by v.rowid")
        want = values_of(path)
        count += len(want)
        if got != want:
            wrong.append(f"{path}: {[(a, b) for a, b in zip(got, want) if a != b][:2]} {len(got)} {len(want)}")
    with tempfile.TemporaryDirectory() as work:
        for name, command in TABLES:
            words = []
            for word in command.split():
                path, _, alias = word.partition("=")
                if path.endswith(".txt"):
                    shutil.copy(folder / path, os.path.join(work, alias or path))
                words.append(alias or path)
            run = subprocess.run([PROFKIT, "diff", "-q", "--like", "benchstat", *words], cwd=work, capture_output=True)
            count += 1
            if run.stdout != (folder / name).read_bytes():
                wrong.append(f"{name}: other output of {command}: {run.stderr.decode()}")
    return wrong, count


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
