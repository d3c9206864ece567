#!/usr/bin/env python3
"""--like pprof prints what go tool pprof prints of every profile in the corpus, byte for byte, with options chosen at random.

Without arguments, a few option sets for each file; with SEED and COUNT, COUNT of them. Expressions are parts of names in
the file, labels and ranges those that it has. What stays different is in EXPLAINED, and:

- nodes that look the same, as those of -files that begin at other lines, have another order in pprof each time: of these the
  rows are compared in any order;
- -normalize is rounded for each sample in pprof, for each call path here: compared where no stack comes twice;
- differences that pprof refuses because the types of periods are not the same are made here.

Skipped where there is no corpus or no go.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from corpus import corpus
import pprof_raw

PROFKIT = os.environ.get("PROFKIT", "./profkit")
LIKE = {"top": ["hotspots", "--like", "pprof"], "tree": ["tree", "--like", "pprof-tree"],
        "traces": ["tree", "--like", "pprof-traces"], "dot": ["callgraph", "--like", "pprof"],
        "peek": ["tree", "--like", "pprof-peek"], "diff": ["diff", "--like", "pprof"],
        "base": ["diff", "--like", "pprof-base"]}
# The end of a path: why pprof prints something else.
EXPLAINED = {
    "austin.pprof": "its unit is μs; pprof takes the s for a plural, and does not know what is left",
    "invalid_utf8.pb.gz": "the name of a function has a NUL, where texts end here",
}
UNITS = ["ns", "us", "ms", "s", "hrs", "auto", "B", "kb", "MB", "count", "minimum", "nothing"]


class File:
    """What options may be chosen of a file: its types of values, parts of names, labels."""

    def __init__(self, path, folder):
        self.path = path
        text = pprof_raw.go_raw(path, folder)
        self.raw = text
        if text is None:
            return
        lines = text.splitlines()
        types = re.findall(r"([^/]*)/\S*(?: |$)", lines[lines.index("Samples:") + 1])
        self.types = [name.strip() or "value" for name in types]
        names = re.findall(r"^ *\d+: 0x[0-9a-f]+ M=\d+ (?:\[F\] )?(\S+)", text, re.M)
        names += re.findall(r"^ {13,}(\S+) \S+:\d+:\d+ s=", text, re.M)
        self.names = sorted(set(names)) or ["main"]
        stacks = re.findall(r"^ +(?:-?\d+ +)*-?\d+: ([\d ]+\n(?:  .*\n)*)", text[text.index("Samples:"):], re.M)
        self.repeats = len(set(stacks)) < len(stacks)
        self.labels = sorted({(key, value) for key, value in re.findall(r"(\S+):\[([^] ]+)", text[:200000])})

    def expression(self, chance):
        name = chance.choice(self.names)
        at = chance.randrange(len(name))
        part = name[at:at + chance.randint(2, 12)]
        part = re.sub(r"([^\w/ :-])", r"\\\1", part) if part.isascii() and part.isprintable() else "main"
        return chance.choice(["", "", "^"]) + part if part else "main"


def tag(file, chance):
    """A filter by labels that both programs understand."""
    if not file.labels or chance.random() < 0.1:
        return "no_such_key=x"
    key, value = chance.choice(file.labels)
    number = re.match(r"-?\d+", value)
    if number and chance.random() < 0.8:
        low = int(number[0])
        size = chance.choice([f"{low}", f"{low}:", f":{low}", f"{low // 2}:{low * 2}", f"{low // 1024}kb:", f"1kb:{low}b",
                              f"{low // 1024}kb:{low // 512}kb", f"{low}ms:", "1mb:2mb", f"{low}bytes"])
        return f"{key}={size}"
    value = re.sub(r"([^\w/ :-])", r".", value)
    return f"{key}={chance.choice([value, value[:3], value + ',x', '^' + value[:4]])}"


def filters(file, chance):
    theirs, ours = [], []
    for name in ("focus", "ignore", "show", "hide", "show_from"):
        if chance.random() < 0.12:
            expression = file.expression(chance)
            theirs.append(f"-{name}={expression}")
            ours += [f"--{name.replace('_', '-')}", expression]
    for name, option in (("tagfocus", "--label"), ("tagignore", "--ignore-label")):
        if chance.random() < (0.2 if file.labels else 0.02):
            label = tag(file, chance)
            theirs.append(f"-{name}={label}")
            ours += [option, label]
    return theirs, ours


def shape(view, chance):
    """Granularity, order, number and size of what is shown."""
    theirs, ours = [], []
    by = chance.choice(["", "", "functions", "lines", "lines", "files", "addresses"])
    if by:
        theirs.append(f"-{by}")
        ours += ["--granularity", {"addresses": "address"}.get(by, by[:-1])]
    if chance.random() < 0.15:
        theirs.append("-noinlines")
        ours.append("--no-inlines")
    if chance.random() < 0.3:
        unit = chance.choice(UNITS)
        theirs.append(f"-unit={unit}")
        ours += ["--unit", unit]
    if view in ("top", "tree", "diff", "base") and chance.random() < 0.3:
        theirs.append("-cum")
        ours += ["--sort", "total"]
    if view in ("top", "tree", "dot") and chance.random() < 0.4:
        number = chance.choice([1, 2, 5, 10, 30, 100])
        theirs.append(f"-nodecount={number}")
        ours += ["-n", str(number)]
    if view in ("top", "tree") and chance.random() < 0.4:
        part = chance.choice(["0", "0.01", "0.05", "0.2"])
        theirs.append(f"-nodefraction={part}")
        ours += ["--nodefraction", part]
    if view == "dot" and chance.random() < 0.4:
        part = chance.choice([0, 1, 5, 20])
        theirs += [f"-nodefraction={part / 100}", f"-edgefraction={part / 200}"]
        ours += ["--node-thres", str(part), "--edge-thres", str(part / 2)]
    return theirs, ours


def case(file, files, chance):
    view = chance.choice(["top", "top", "top", "tree", "tree", "peek", "traces", "dot", "dot", "diff", "base"])
    theirs, ours = shape(view, chance)
    theirs, ours = [f"-{'top' if view in ('diff', 'base') else view}"] + theirs, LIKE[view] + ours
    if chance.random() < 0.4:
        i = chance.randrange(len(file.types))
        theirs.append(f"-sample_index={i}")
        ours += ["-m", file.types[i]]
    more = filters(file, chance)
    theirs, ours = theirs + more[0], ours + more[1]
    if view == "peek":
        expression = file.expression(chance)
        theirs[0] += f"={expression}"
        ours += ["--match", expression]
    if view in ("diff", "base"):
        alike = [other for other in files if other.types == file.types]
        other = str(chance.choice(alike).path)
        theirs.append(f"-{'diff_base' if view == 'diff' else 'base'}={other}")
        if chance.random() < 0.3 and not file.repeats:
            theirs.append("-normalize")
            ours.append("--normalize")
        ours.append(other)
    return theirs, ours


def run(command, folder):
    env = dict(pprof_raw.environment(folder), PPROF_BINARY_PATH=folder)
    done = subprocess.run(command, capture_output=True, check=False, env=env)
    return done.returncode, done.stdout, done.stderr


def rows(text):
    """Lines in any order, without the sum of those above, names of nodes and their colors."""
    text = re.sub(rb"^( *\S+ +\S+%) +\S+%", rb"\1", text, flags=re.M)
    return sorted(re.sub(rb"\bN\d+|node\d+", b"", line) for line in text.splitlines())


def is_random(command, folder, left, right):
    """pprof has nodes that look the same in another order each time, as those of -files are that begin at other lines."""
    return rows(left[1]) == rows(right[1]) and any(run(command, folder)[:2] != left[:2] for i in range(20))


def compare(job):
    file, theirs, ours, folder = job
    path = str(file.path)
    command = [*pprof_raw.go_pprof(), "-symbolize=remote", *theirs, path]
    left = run(command, folder)
    right = run([PROFKIT, *ours, "-q", path], folder)
    if left[:2] == right[:2] or (left[0] and right[0]) or b"incompatible" in left[2] or is_random(command, folder, left, right):
        return None
    lines = [side[1].decode(errors="backslashreplace").split("\n") for side in (left, right)]
    wrong = [pair for pair in zip(*lines) if pair[0] != pair[1]][:3]
    text = f"FAIL {path} {' '.join(map(repr, theirs))} | {' '.join(map(repr, ours))}: " \
           f"{len(lines[1])} lines instead of {len(lines[0])}, status {right[0]} instead of {left[0]}\n"
    text += "".join(f"  {our}\n  {their} (pprof)\n" for their, our in wrong)
    if left[0] != right[0]:
        text += (left[2] if left[0] else right[2]).decode(errors="replace")[:300]
    return text


def is_pprof(path):
    done = subprocess.run([PROFKIT, "info", "-q", "--format", "json", str(path)], capture_output=True, check=False)
    return re.search(rb'"format": "pprof"', done.stdout[:3000]) is not None


def profiles():
    texts = (".txt", ".md", ".json", ".dot", ".jfr", ".snap", ".ts")
    for folder in ("real/pprof-go", "generated/pprof-go", "peers/pprof", "peers/parca", "peers/pyroscope", "peers/speedscope",
                   "peers/austin-python"):
        for path in sorted((corpus() / folder).rglob("*")):
            if path.is_file() and path.suffix not in texts and is_pprof(path):
                yield path


def main():
    if not pprof_raw.have_go():
        print("skipped: no go")
        return 77
    if not corpus().is_dir():
        print(f"no corpus at {corpus()}")
        return 77
    seed, count = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (1, 200)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        files = [File(pathlib.Path(path), folder) for path in (sys.argv[3:] or profiles())]
        files = [file for file in files if file.raw and file.path.name not in EXPLAINED]
        order = [files[i % len(files)] for i in range(count)]
        jobs = [(file, *case(file, files, chance), folder) for file in order]
        failed = [text for text in pool.map(compare, jobs) if text]
    for text in failed:
        print(text)
    print(f"{len(failed)} of {count} texts of {len(files)} files differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
