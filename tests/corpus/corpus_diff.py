#!/usr/bin/env python3
"""Differences of real profiles.

A profile compared with itself has no news: every function is found again, in every format. An
example of a performance course before and after: every number is that of the files, and
the cause is found. Skipped where there is no corpus.
"""

import decimal
import json
import marshal
import os
import pathlib
import subprocess
import sys

SKIP = 77
MOST_BYTES = 1_500_000
FOLDERS = ["real/programs", "real/py-spy", "real/perf", "real/austin", "generated/pstats",
           "peers/gprof2dot/tests"]


def diff(*arguments):
    command = [os.environ.get("PROFKIT", "profkit"), "diff", "-q", *map(str, arguments)]
    return subprocess.run(command, capture_output=True)


def rows_of(*arguments):
    done = diff("--format", "json", *arguments)
    return json.loads(done.stdout, parse_float=decimal.Decimal) if done.returncode == 0 else None


def compare_with_itself(path):
    """None where it is no profile, else whether anything is called news."""
    result = rows_of(path, path)
    if result is None:
        return None
    odd = [row for row in result["rows"]
           if row["verdict"] != "unchanged" or row["before"] != row["after"] or row["note"]]
    # Of several runs in a file, values are medians.
    if result["sides"]["before"]["runs"] == 1 and \
            sum(row["before"] for row in result["rows"]) != result["total"]["before"]:
        odd.append("self does not add up to the total")
    for what in odd[:3]:
        print("FAIL", path, what)
    return bool(odd)


def expected_of(path):
    """Self times in ns and calls by name and line, of the file itself."""
    with open(path, "rb") as f:
        stats = marshal.load(f)
    expected = {}
    for (_, line, name), (_, calls, self, _, _) in stats.items():
        value = expected.setdefault((name, line), [0, 0])
        value[0] += round(self * 1e9)
        value[1] += calls
    return expected


def compare_course(folder):
    before, after = folder / "course1.cprofile.prof", folder / "course1-opt.cprofile.prof"
    if not before.exists():
        return 0
    failed = 0
    for measure, column, slack in (("self", 0, 2), ("calls", 1, 0)):
        result = rows_of("--measure", measure, before, after)
        for side, path in (("before", before), ("after", after)):
            total = sum(value[column] for value in expected_of(path).values())
            shown = sum(row[side] for row in result["rows"])
            if abs(shown - total) > slack * len(result["rows"]):
                print("FAIL", measure, side, shown, "instead of", total)
                failed += 1
    rows = {row["function"]: row for row in rows_of(before, after)["rows"]}
    was, row = expected_of(before), rows["count_similar_record_pairs"]
    mine = sum(v[0] for (name, _), v in was.items() if name == "count_similar_record_pairs")
    if abs(row["before"] - mine) > 1 or row["verdict"] != "suspect" or row["after"] >= mine:
        print("FAIL", row)
        failed += 1
    # Most functions are called 3.3 times as often: that is not the machine.
    factor = rows_of(before, after)["machine_factor"]
    if factor is not None and not 0.67 < factor < 1.5:
        print("FAIL machine factor", factor)
        failed += 1
    totals = rows_of("--measure", "total", before, after)["rows"]
    main = next(row for row in totals if row["function"] == "main")
    if main["verdict"] != "shifted" or main["note"] != "in callees: count_similar_record_pairs":
        print("FAIL", main)
        failed += 1
    return failed


def main():
    root = pathlib.Path(os.environ.get("srcdir", ".")).resolve()
    corpus = pathlib.Path(os.environ.get("PROFKIT_CORPUS", root.parent / "shared/corpus"))
    if not corpus.is_dir():
        print("skipped: no corpus (PROFKIT_CORPUS)")
        return SKIP
    failed = compared = 0
    for folder in FOLDERS:
        for path in sorted((corpus / folder).rglob("*")):
            if path.is_file() and ".expected" not in path.name and \
                    path.stat().st_size < MOST_BYTES:
                news = compare_with_itself(path)
                compared += news is not None
                failed += bool(news)
    failed += compare_course(corpus / "real/programs")
    print(f"{compared} files compared with themselves; {failed} wrong")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
