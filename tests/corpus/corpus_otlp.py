#!/usr/bin/env python3
"""Profiles of OpenTelemetry in the corpus: of each type of value the total, and of each function self and total, are those
that were added up when the file was made (FILE.expected-totals.tsv). Skipped where there is no corpus.
"""
import csv
import io
import os
import subprocess
import sys

from corpus import corpus

SKIP = 77


def expected(path):
    """Of each type, and each function in it, self and total."""
    types = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            functions = types.setdefault(line.split()[1], {})
        elif line:
            self, total, function = line.split("\t")
            functions[function] = int(self), int(total)
    return types


def measured(path, metric):
    run = subprocess.run([os.environ["PROFKIT"], "hotspots", "-q", "-m", metric, "--format", "csv", "--limit", "0", path],
                         capture_output=True, check=True)
    found = {}
    for row in csv.DictReader(io.StringIO(run.stdout.decode())):
        found[row["function"]] = int(row["self"]), int(row["total"])
    return found


def main():
    root = corpus() / "real/otlp"
    if not root.is_dir():
        print("skipped: no corpus (PROFKIT_CORPUS)")
        return SKIP
    compared, failures = 0, []
    for texts in sorted(root.glob("*.expected-totals.tsv")):
        name = texts.name[:-len(".expected-totals.tsv")]
        for path in [root / name, root / (name.removesuffix(".otlp") + ".json")]:
            if not path.exists():
                continue
            for metric, want in expected(texts).items():
                got = measured(path, metric)
                compared += len(want)
                failures += [f"{path.name}: {metric}: {f}: {got.get(f)}, not {want.get(f)}"
                             for f in sorted(set(want) | set(got)) if got.get(f, (0, 0)) != want.get(f, (0, 0))]
    print("\n".join(failures[:20]))
    print(f"{compared} functions compared, {len(failures)} differ")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
