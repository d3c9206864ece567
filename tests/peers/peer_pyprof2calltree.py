#!/usr/bin/env python3
"""The callgrind file of a pstats file has the numbers of pyprof2calltree, which cuts times to whole ns.

Skipped where Python has no module pyprof2calltree.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

FIXTURES = pathlib.Path(os.environ.get("srcdir", ".")) / "testdata"
FILES = [FIXTURES / "example" / f"{name}.prof" for name in ("before", "after")] + [
    FIXTURES / "pstats" / f"{name}.prof" for name in ("cprofile-py311", "cprofile-py313", "not-ascii")]


def parse(path):
    """{(file, function): [ns, line]} and {(caller, callee): [calls, ns]}; names may have numbers."""
    names, functions, calls = {"l": {}, "n": {}}, {}, {}
    place, callee, count = {}, {}, None
    for line in path.read_text(errors="replace").splitlines():
        key, equals, value = line.partition("=")
        if equals and key in ("fl", "fn", "cfl", "cfi", "cfn"):
            number, bracket, name = value.partition(")")
            kind = "n" if key[-1] == "n" else "l"
            if bracket and number[1:].isdigit() and number[0] == "(":
                value = names[kind].setdefault(number, name.strip())
            (callee if key[0] == "c" else place)[kind] = value
        elif key == "calls":
            count = int(value.split()[0])
        elif line[:1].isdigit():
            at, ns = map(int, line.split())
            own = place["l"], place["n"]
            if count is None:
                functions[own] = [ns + functions.get(own, [0])[0], at]
            else:
                old = calls.get((own, (callee["l"], callee["n"])), [0, 0])
                calls[own, (callee["l"], callee["n"])] = [count + old[0], ns + old[1]]
                count = None
    return functions, calls


def differences(ours, theirs):
    for key in ours.keys() | theirs.keys():
        a, b = ours.get(key), theirs.get(key)
        if a is None or b is None or any(abs(x - y) > 1 for x, y in zip(a, b)):
            yield f"{key}: {a}, pyprof2calltree {b}"


def main():
    if not importlib.util.find_spec("pyprof2calltree"):
        print("no pyprof2calltree")
        return 77
    failed = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = pathlib.Path(folder) / "ours.callgrind", pathlib.Path(folder) / "theirs"
        for file in FILES:
            subprocess.run([os.environ.get("PROFKIT", "profkit"), "convert", "-q", "--force", file, "-o", paths[0]], check=True)
            subprocess.run([sys.executable, "-m", "pyprof2calltree", "-i", file, "-o", paths[1]], check=True,
                           stdout=subprocess.DEVNULL)
            for ours, theirs in zip(*map(parse, paths)):
                compared += len(theirs)
                for text in differences(ours, theirs):
                    failed += 1
                    print(file.name, text)
    print(f"{compared} numbers of functions and calls, {failed} differences")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
