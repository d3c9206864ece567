#!/usr/bin/env python3
"""The hotspots and callers of every pstats file of the corpus are its numbers, in ns, exactly.

What a file holds is in FILE.expected-content.jsonl beside it, one function a line, written
by python itself. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus
beside the source folder).
"""
import csv
import fractions
import io
import json
import os
import subprocess
import sys

from corpus import corpus

SKIP = 77


def nanoseconds(seconds):
    return round(fractions.Fraction(seconds) * 10**9)


def text(name):
    """A lone surrogate is three bytes that are no UTF-8, and so three U+FFFD in output."""
    return "".join("\ufffd" * 3 if 0xD800 <= ord(c) <= 0xDFFF else c for c in name)


def count(calls):
    return str(min(calls, 2**63 - 1)) if calls >= 0 else ""


def load(path):
    with path.open(encoding="utf-8", errors="surrogatepass") as lines:
        return [json.loads(line) for line in lines]


def place(key, prefix=""):
    file, line, name = key
    return {
        prefix.rstrip("_") or "function": text(name),
        prefix + "file": "" if file == "~" and line == 0 else text(file),
        prefix + "line": str(line) if line else "",
    }


def numbers(calls, primitive, own, total):
    return {
        "calls": count(calls),
        "primitive_calls": count(primitive),
        "self": str(nanoseconds(own)),
        "total": str(nanoseconds(total)),
    }


def expected_hotspots(functions):
    # yappi writes the two counts the other way round.
    swapped = any(f["cc"] > f["nc"] for f in functions)
    for f in functions:
        calls, primitive = (f["cc"], f["nc"]) if swapped else (f["nc"], f["cc"])
        yield place(f["key"]) | numbers(calls, primitive, f["tt"], f["ct"])


def expected_callers(functions):
    for f in functions:
        for caller, value in f["callers"]:
            where = place(caller, "caller_") | place(f["key"], "callee_")
            if isinstance(value, int):  # the profile module knows how often, and no more
                yield where | {"calls": count(value), "primitive_calls": "", "self": "",
                               "total": ""}
            else:  # older versions of python wrote sums as 8, 12, ... numbers
                yield where | numbers(*(sum(value[i::4]) for i in range(4)))


def order(row):
    return sorted(row.items())


def table(command, path):
    done = subprocess.run([os.environ.get("PROFKIT", "profkit"), command, "--format", "csv",
                           str(path)], capture_output=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))


def compare(what, expected, actual):
    """As sets: Python 2 does not keep the order of the file, in which equal ones are."""
    actual = [{key: row[key] for key in expected[0]} for row in actual] if expected else actual
    if len(expected) != len(actual):
        yield f"{what}: {len(actual)} rows instead of {len(expected)}"
    for want, have in zip(sorted(expected, key=order), sorted(actual, key=order)):
        if want != have:
            yield f"{what}: {have} instead of {want}"


def differences(path):
    functions = load(path.with_suffix(".expected-content.jsonl"))
    hotspots = table("hotspots", path)
    selfs = [int(row["self"]) for row in hotspots]
    if selfs != sorted(selfs, reverse=True):
        yield "not sorted by self"
    yield from compare("hotspots", list(expected_hotspots(functions)), hotspots)
    yield from compare("callers", list(expected_callers(functions)), table("callers", path))


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
