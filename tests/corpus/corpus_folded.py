#!/usr/bin/env python3
"""Every file of folded stacks in the corpus: the same paths, with the same counts.

The files are read here once more, by the rules of flamegraph.pl (a line is what its regular
expression takes; two columns where all lines have two), and compared with what profkit
writes, path by path, decimals included. Files of many lines and of UTF-16 are among them.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import fractions
import os
import re
import subprocess
import sys

from corpus import corpus

SKIP = 77
WHERE = [
    "peers/FlameGraph/test/results/*.txt",
    "peers/gprof2dot/tests/collapse/*.collapse",
    "peers/inferno/tests/data/*/results/*.txt",
    "peers/inferno/tests/data/*/results/*.folded",
    "peers/inferno/tests/data/*/results/*.orig",
    "peers/inferno/tests/data/collapse-recursive/*.txt",
    "peers/inferno/tests/data/diff-folded/*.txt",
    "peers/inferno/tests/data/flamegraph/*/*.txt",
    "peers/speedscope/sample/profiles/stackcollapse/*.txt",
    "peers/async-profiler/**/*.collapsed",
    "generated/*/*-collapse-perf.txt",
    "generated/*/*.expected-stackcollapse-perf.txt",
    "generated/*/*.flameprof.log",
    "generated/flamegraph-svg/*.txt",
    "real/*/*.py-spy*.raw.txt",
    "real/py-spy/*.raw.txt",
    "real/tachyon/*.collapsed.txt",
    "real/torch/*.expected-stacks-*.txt",
]
LINE = re.compile(rb"^(.*)[ \t](\d+(?:\.\d*)?)$", re.DOTALL)
DIGITS = 10**9


def content(path):
    data = path.read_bytes()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16").encode()
    return data[3:] if data[:3] == b"\xef\xbb\xbf" else data


def take(line):
    """The line without its last number, and the number; None if it has none."""
    match = LINE.match(line)
    if not match:
        return None
    stack = match.group(1)
    bare = stack.rstrip(b" \t")
    number = fractions.Fraction(match.group(2).decode().rstrip("."))
    return stack if not bare or bare.endswith(b";") else bare, number


def rows(data):
    lines = []
    for line in data.split(b"\n"):
        line = line.rstrip(b" \t\r")
        if line and line != b"#" and not line.startswith(b"# "):
            first = take(line)
            if first:
                lines.append((first, take(first[0])))
    if lines and all(second for _, second in lines):
        return [(second[0], [second[1], first[1]]) for first, second in lines]
    return [(first[0], [first[1]]) for first, _ in lines]


def expected(data):
    """Path -> sums, as profkit writes them: a tab and a number at the end of a name are changed."""
    sums = collections.defaultdict(lambda: [0, 0])
    found = rows(data)
    leaves = {path.split(b";")[-1] for path, values in found if any(values)}
    numbers = {n for n in leaves if LINE.match(n)}
    for path, values in found:
        frames = [LINE.sub(rb"\1_\2", f) if f in numbers else f for f in path.split(b";")]
        for i, value in enumerate(values):
            sums[b";".join(frames).replace(b"\t", b" ")][i] += fractions.Fraction(value * DIGITS // 1, DIGITS)
    return {path: values for path, values in sums.items() if any(values)}


def written(profkit, path, columns):
    run = subprocess.run(
        [profkit, "convert", "-q", "-f", "folded", "--to", "folded", "-O", "fractions", str(path), "-"],
        capture_output=True, check=False)
    if run.returncode:
        return run.stderr.decode(errors="replace")
    result = {}
    for line in run.stdout.split(b"\n")[:-1]:
        values = [0, 0]
        for i in reversed(range(columns)):
            line, number = line.rsplit(b" ", 1)
            values[i] = fractions.Fraction(number.decode())
        result[line] = values
    return result


def check(profkit, path):
    data = content(path)
    found = rows(data)
    right = expected(data)
    got = written(profkit, path, len(found[0][1]) if found else 1)
    if not found:
        return 0 if isinstance(got, str) else f"{path}: is read, but has no stacks"
    if isinstance(got, str):
        return f"{path}: {got}"
    for stack in sorted(set(right) | set(got)):
        if right.get(stack) != got.get(stack):
            return f"{path}: {stack!r}: {got.get(stack)}, not {right.get(stack)}"
    return len(got)


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    profkit = os.environ.get("PROFKIT", "./profkit")
    files = sorted({f for pattern in WHERE for f in root.glob(pattern)})
    results = [check(profkit, f) for f in files]
    wrong = [r for r in results if isinstance(r, str)]
    print(f"{len(files)} files, {sum(r for r in results if isinstance(r, int))} paths")
    for text in wrong:
        print(text)
    if not files:
        print("the corpus has no folded stacks")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
