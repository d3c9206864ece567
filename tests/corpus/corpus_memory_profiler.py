#!/usr/bin/env python3
"""Reports of memory_profiler: every line has the memory, the increment and the occurrences that are
printed, and profkit prints the report again, byte for byte (lines --like memory_profiler).

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import os
import re
import subprocess
import sys

from corpus import look_at_corpus, query

WHERE = ["real/memory_profiler/*.report.txt"]
ROW = re.compile(r"^ *(\d+) +(-?[\d.]+) MiB +(-?[\d.]+) MiB +(?:(\d+) )?")
LINES = """SELECT function.line AS begin, location.line, metric.text AS metric, self, calls
  FROM cost JOIN node ON node.id = node JOIN location ON location.id = node.location
  JOIN function ON function.id = location.function JOIN metric AS m ON m.id = cost.metric
  JOIN string AS metric ON metric.id = m.name"""


def check(path):
    text = path.read_text(encoding="utf-8")
    text = text[text.index("Filename: "):]
    right = {}
    for table in text.split("Filename: ")[1:]:
        counted, rows = "Occurrences" in table, [m for m in map(ROW.match, table.split("\n")) if m]
        for row in rows:
            line, begin = int(row.group(1)), int(rows[0].group(1))
            memory, increment = (round(float(row.group(n)) * (1 << 20)) for n in (2, 3))
            right[begin, line, "memory"] = memory, None
            if line == begin:
                right[begin, line, "entry"] = increment, None
                increment = 0
            right[begin, line, "increment"] = increment, None
            if counted:
                right[begin, line, "hits"] = int(row.group(4)), None
    found = {(b, n, m): (self, calls) for b, n, m, self, calls in query(path, LINES)}
    wrong = [f"{path}: {at}: {found.get(at)}, not {right.get(at)}"
             for at in sorted(set(found) | set(right)) if found.get(at) != right.get(at)]
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "lines", "--like", "memory_profiler", path],
                         capture_output=True, check=False)
    if run.returncode or run.stdout.decode() != text:
        wrong.append(f"{path}: is not printed again: {run.stderr.decode()}")
    print(f"{path.name}: {len(right)} values, {len(text)} characters printed again")
    return wrong


def look(root):
    files = sorted(f for pattern in WHERE for f in root.glob(pattern))
    wrong = [text for f in files for text in check(f)]
    return wrong, len(files)


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
