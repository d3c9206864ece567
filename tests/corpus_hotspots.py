#!/usr/bin/env python3
"""The hotspots of every pstats file of the corpus are its numbers, in ns, exactly.

What a file holds is in FILE.expected-content.jsonl beside it, one function a line, written
by python itself. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus
beside the source folder).
"""
import csv
import fractions
import io
import json
import os
import pathlib
import subprocess
import sys

SKIP = 77


def corpus():
    default = pathlib.Path(os.environ.get("srcdir", ".")) / "../shared/corpus"
    return pathlib.Path(os.environ.get("PROFKIT_CORPUS", default))


def nanoseconds(seconds):
    return round(fractions.Fraction(seconds) * 10**9)


def text(name):
    """A lone surrogate is three bytes that are no UTF-8, and so three U+FFFD in output."""
    return "".join("\ufffd" * 3 if 0xD800 <= ord(c) <= 0xDFFF else c for c in name)


def count(calls):
    return str(min(calls, 2**63 - 1)) if calls >= 0 else ""


def expected_rows(path):
    functions = [json.loads(line) for line in path.open(encoding="utf-8", errors="surrogatepass")]
    # yappi writes the two counts the other way round.
    swapped = any(f["cc"] > f["nc"] for f in functions)
    rows = []
    for f in functions:
        file, line, name = f["key"]
        calls, primitive = (f["cc"], f["nc"]) if swapped else (f["nc"], f["cc"])
        rows.append({
            "function": text(name),
            "file": "" if file == "~" and line == 0 else text(file),
            "line": str(line) if line else "",
            "calls": count(calls),
            "primitive_calls": count(primitive),
            "self": str(nanoseconds(f["tt"])),
            "total": str(nanoseconds(f["ct"])),
        })
    # Python 2 does not keep the order of the file: equal ones may be in any.
    rows.sort(key=order)
    return rows


def order(row):
    return -int(row["self"]), row["function"], row["file"], int(row["line"] or 0)


def actual_rows(path):
    done = subprocess.run([os.environ.get("PROFKIT", "profkit"), "hotspots", "--format", "csv",
                           str(path)], capture_output=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))


def differences(path):
    expected = expected_rows(path.with_suffix(".expected-content.jsonl"))
    actual = actual_rows(path)
    selfs = [int(row["self"]) for row in actual]
    if selfs != sorted(selfs, reverse=True):
        yield "not sorted by self"
    actual.sort(key=order)
    if len(expected) != len(actual):
        yield f"{len(actual)} functions instead of {len(expected)}"
    for number, (want, have) in enumerate(zip(expected, actual), 1):
        for key, value in want.items():
            if have[key] != value:
                yield f"row {number} ({want['function']}): {key} is {have[key]}, not {value}"


def main():
    if not corpus().is_dir():
        print("skipped: no corpus at", corpus())
        return SKIP
    files = failed = 0
    for content in sorted(corpus().glob("**/*.expected-content.jsonl")):
        path = content.with_name(content.name.replace(".expected-content.jsonl", ".prof"))
        if not path.exists():
            continue
        files += 1
        found = list(differences(path))
        for line in found[:5]:
            print(f"{path.name}: {line}")
        failed += bool(found)
    print(f"{files} files, {failed} with differences")
    return 1 if failed or not files else 0


sys.exit(main())
