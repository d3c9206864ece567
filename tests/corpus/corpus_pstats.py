#!/usr/bin/env python3
"""--like pstats prints what python -m pstats printed for the corpus' files, byte for byte.

The expected texts are dialogues with pstats' browser, or what its stats command printed.
Files that are no pstats are refused as such. Skipped where there is no corpus (PROFKIT_CORPUS,
or ../shared/corpus beside the source folder).
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from corpus import corpus

SKIP = 77
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


def main():
    if not corpus().is_dir():
        print("skipped: no corpus at", corpus())
        return SKIP
    texts = refused = failed = 0
    for path in sorted(corpus().glob("**/*.prof")):
        expected = sorted(path.parent.glob(path.name[:-5] + ".expected-*.txt"))
        for text in expected:
            kind = text.name[len(path.name) - 5 + len(".expected-"):-4]
            if kind in CASES:
                texts += 1
                failed += differs(text, path, kind)
        if path.read_bytes()[:1] not in (b"{", b"\xfb") or path.name in ("bad-truncated.prof",
                                                                          "empty.prof"):
            refused += 1
            failed += not is_refused(path)
    print(f"{texts} texts, {refused} files that are no profile of pstats, {failed} failures")
    return 1 if failed or not texts or not refused else 0


sys.exit(main())
