#!/usr/bin/env python3
"""--like pstats prints what python -m pstats printed for the corpus' files, byte for byte.

The expected texts are dialogues with pstats' browser, or what its stats command printed.
Of every profile, the calls and times of functions are those that Python reads from it. Files that
are no pstats are refused as such. Skipped where there is no corpus (PROFKIT_CORPUS,
or ../shared/corpus beside the source folder).
"""
import csv
import io
import marshal
import os
import re
import shutil
import subprocess
import sys
import tempfile

from corpus import corpus

SKIP = 77
COUNT = 2**63 - 1  # larger counts are cut, with a message
DATE = 1700000000  # of the files when pstats printed them

# Suffix of the expected text: the commands that print it.
CASES = {
    "stats-cumulative": ["hotspots --sort cumulative"],
    "stats-stdname": ["hotspots --sort stdname"],
    "stats-tottime-top5": ["hotspots --sort tottime -n 5"],
    "stats-cumulative-40": ["hotspots --sort cumulative -n 40"],
    "stats-tottime-40": ["hotspots --sort tottime -n 40"],
    "strip-ncalls": ["hotspots --strip-dirs --sort ncalls,name -n 50%",
                     "callers --strip-dirs --sort ncalls,name fib"],
    "callers": ["callers --sort stdname"],
    "callees": ["callees --sort stdname"],
    "py27-callers": ["callers --sort stdname"],
    "py27-callees": ["callees --sort stdname"],
    "py27-stats-cumulative": ["hotspots --sort cumulative"],
    "py27-stats-stdname": ["hotspots --sort stdname"],
}


def profkit(*arguments, folder=None):
    return subprocess.run([os.environ.get("PROFKIT", "profkit"), *arguments], cwd=folder,
                          capture_output=True, env=dict(os.environ, TZ="UTC"))


def without_dialogue(text, name):
    """What the browser printed between its greeting, its prompts and its farewell."""
    text = re.sub(rb"^Welcome to the profile statistics browser\.\n", b"", text)
    return text.replace(name.encode() + b"% ", b"").replace(b"Goodbye.\n", b"")


def like_python2(text):
    """It has no blank after an arrow without relatives, and another order of equals."""
    lines = [line.rstrip(b" ") for line in text.split(b"\n")]
    return sorted(lines) if b"Ordered by: cumulative" in text else lines


def same(expected, actual, kind):
    if kind.startswith("py27-"):
        return like_python2(expected) == like_python2(actual)
    if b"--- stderr ---\n" in expected:  # python stopped there
        expected = expected[:expected.index(b"--- stderr ---\n")].rstrip(b"\n")
        return expected and actual.startswith(expected)
    return expected == actual


def differs(text, path, kind):
    expected = without_dialogue(text.read_bytes(), path.name)
    if re.match(rb"(\w+Error: |Invalid timing data )", expected):  # python cannot read it
        return False
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        os.utime(os.path.join(folder, path.name), (DATE, DATE))
        actual = b""
        for command in CASES[kind]:
            done = profkit(*command.split(), "--like", "pstats", path.name, folder=folder)
            if done.returncode:
                print(f"{path.name}: {command}: {done.stderr.decode()}")
                return True
            actual += done.stdout
    if "-40" in kind:  # kept without the line of the file
        actual = actual.split(b"\n", 1)[1]
    if same(expected, actual, kind):
        return False
    print(f"{text.name}: not what profkit {' and '.join(CASES[kind])} prints")
    return True


def is_refused(path):
    done = profkit("info", "-f", "pstats", str(path))
    message = done.stderr.decode()
    if done.returncode == 2 and re.match(r"profkit: reading '.*': .+\n\Z", message):
        return True
    print(f"{path}: read as pstats, or refused without a reason: {message}")
    return False


def load(path):
    """The functions as Python reads them, {} if it does not."""
    try:
        stats = marshal.loads(path.read_bytes())
    except (EOFError, TypeError, ValueError):  # cut off; written by Python 2
        return {}
    if not isinstance(stats, dict):
        return {}
    return {k: v for k, v in stats.items() if isinstance(k, tuple) and len(k) == 3}


def is_counted(path):
    """Calls and times of all functions, names aside; samplers know no calls. yappi writes calls and
    primitive calls in the other order."""
    right = sorted((min(max(counts), COUNT), min(*counts, COUNT), round(self * 1e9), round(total * 1e9))
                   for *counts, self, total, _ in load(path).values())
    done = profkit("hotspots", "-q", "-f", "pstats", "--demangle", "no", "--format", "csv", str(path))
    found = sorted((int(row["calls"] or -1), int(row["primitive_calls"] or row["calls"] or -1),
                    int(row["self"]), int(row["total"]))
                   for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="replace"))))
    if found and found[-1][0] < 0:
        right = sorted((-1, -1, *times) for _, _, *times in right)
    same = len(right) == len(found) and all(
        a[:2] == b[:2] and abs(a[2] - b[2]) <= 1 and abs(a[3] - b[3]) <= 1 for a, b in zip(right, found))
    if not same:
        print(f"{path}: not the numbers that Python reads: {sorted(set(right) ^ set(found))[:4]}")
    return same


def main():
    if not corpus().is_dir():
        print("skipped: no corpus at", corpus())
        return SKIP
    texts = refused = failed = counted = 0
    for path in sorted(corpus().glob("**/*.p*")):
        if path.suffix not in (".prof", ".pstats", ".pstat") or "attack" in path.parts:
            continue
        if load(path):
            counted += 1
            failed += not is_counted(path)
        if path.suffix != ".prof":
            continue
        expected = sorted(path.parent.glob(path.name[:-5] + ".expected-*.txt"))
        for text in expected:
            kind = text.name[len(path.name) - 5 + len(".expected-"):-4]
            if kind in CASES and path.name != "hugecounts.prof":  # see COUNT
                texts += 1
                failed += differs(text, path, kind)
        if path.read_bytes()[:1] not in (b"{", b"\xfb") or path.name in ("bad-truncated.prof",
                                                                          "empty.prof"):
            refused += 1
            failed += not is_refused(path)
    print(f"{texts} texts, {counted} profiles, {refused} files that are no profile of pstats, {failed} failures")
    return 1 if failed or not texts or not refused else 0


sys.exit(main())
