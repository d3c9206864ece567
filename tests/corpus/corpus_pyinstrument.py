#!/usr/bin/env python3
"""Sessions of pyinstrument: every path has the time that the file says, to the ns; and the
times of all frames are those that pyinstrument itself printed of the same session.

Paths are summed here once more from the records, in fractions. What pyinstrument printed is
looked up line by line: some call path of that function must have that time, as printed.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import fractions
import gzip
import json
import os
import re
import subprocess
import sys

from corpus import look_at_corpus

PROFKIT = os.environ.get("PROFKIT", "./profkit")
GENERATED = "generated/pyinstrument/"
# A session, and what pyinstrument printed of it.
PRINTED = [
    (GENERATED + "v473.pyisession", GENERATED + "v473.from-session.expected-text.txt"),
    ("real/programs/etl.pyisession", "real/programs/etl.expected-pyinstrument.txt"),
]
# A session, and pyinstrument's tree of it with --show-all --timeline.
TREES = [(GENERATED + "v473.pyisession",
          GENERATED + "v473.from-session.expected-json-all-timeline.json")]
SQL = """SELECT node.id, parent, function.text AS function, coalesce(file.text, '') AS file,
    f.line, coalesce(sum(self), 0) AS self
  FROM node JOIN location ON location.id = location JOIN function AS f ON f.id = location.function
  JOIN string AS function ON function.id = f.name
  LEFT JOIN string AS file ON file.id = file LEFT JOIN cost ON cost.node = node.id
  GROUP BY node.id ORDER BY node.id"""
LINE = re.compile(r"^[ │├└─]*(\d+\.\d{3}) (\S.*?)  (\S+?)(?::(\d+))?$")


def classes_of(session):
    """The class of each method's objects, where it is the same in all samples."""
    seen = collections.defaultdict(set)
    for stack, _ in session["frame_records"]:
        for frame in stack:
            identifier, *attributes = frame.split("\1")
            seen[identifier].update(a[1:] for a in attributes if a[:1] == "c" and a != "c")
    return {identifier: min(c) for identifier, c in seen.items() if len(c) == 1}


def name(identifier, classes):
    """Function, file, line, as profkit has them."""
    function, file, line = (identifier.split("\0") + ["", "0"])[:3]
    if file == "<built-in>" or function.startswith("["):
        return function, "", 0
    if identifier in classes:
        function = f"{classes[identifier]}.{function}"
    return function, file, int(line)


def bare(path):
    """The path without the classes of its methods."""
    return tuple((f.split(".")[-1] if file else f, file, line) for f, file, line in path)


def nanoseconds(seconds):
    return int(fractions.Fraction(repr(seconds)) * 10**9 + fractions.Fraction(1, 2))


def stem_length(session):
    """Leading frames that start_call_stack and all samples share, but the last of them."""
    start = [f.split("\1")[0] for f in session["start_call_stack"]]
    stacks = [[f.split("\1")[0] for f in stack] for stack, _ in session["frame_records"]]
    depth = 0
    while depth < len(start) and all(len(s) > depth and s[depth] == start[depth] for s in stacks):
        depth += 1
    return max(depth - 1, 0)


def own_times(session):
    sums = collections.Counter()
    stem, classes = stem_length(session), classes_of(session)
    for stack, seconds in session["frame_records"]:
        frames = [f.split("\1")[0] for f in stack[stem:]]
        path = tuple(name(f, classes) for f in frames if "\0<thread>\0" not in f)
        sums[path] += nanoseconds(seconds)
    return sums


def whole_times(own):
    sums = collections.Counter()
    for path, time in own.items():
        for depth in range(len(path)):
            sums[path[:depth + 1]] += time
    return sums


def read(path, *options):
    """Path -> own time in ns, as profkit has it."""
    run = subprocess.run([PROFKIT, "query", "--format", "json", *options, str(path), SQL],
                         capture_output=True, check=True)
    paths, own = {None: ()}, collections.Counter()
    for row in json.loads(run.stdout)["rows"]:
        paths[row["id"]] = paths[row["parent"]] + ((row["function"], row["file"], row["line"]),)
        own[paths[row["id"]]] += row["self"]
    return own


def check_session(path):
    data = path.read_bytes()
    session = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    if not session["frame_records"]:
        run = subprocess.run([PROFKIT, "info", str(path)], capture_output=True, check=False)
        return [] if run.returncode == 2 and b"no samples" in run.stderr else [f"{path}: is read"]
    right, found = own_times(session), read(path)
    print(f"{path.name}: {len(found)} paths, {sum(found.values())} ns")
    return [f"{path}: {stack}: {found[stack]}, not {right[stack]} ns"
            for stack in sorted(set(right) | set(found)) if right[stack] != found[stack]]


def is_printed(frame, match):
    """Printed is the class in this path, if there is one; the file is shortened."""
    function, file, line = frame
    return (f".{match.group(2)}".endswith("." + function) or
            f".{function}".endswith("." + match.group(2))) and \
        (match.group(3) == "<built-in>" and not file or
         file.endswith(match.group(3)) and int(match.group(4)) == line)


def check_printed(path, printed):
    # pyinstrument leaves out the frames that ask for it by __tracebackhide__.
    whole = whole_times(read(path, "--hide", r"^hidden\b"))
    wrong, lines = [], 0
    for line in printed.read_text().split("\n"):
        match = LINE.match(line)
        # "[self]" is what the frame above it has of its own.
        if not match or match.group(2) == "[self]":
            continue
        lines += 1
        if not any(f"{time / 1e9:.3f}" == match.group(1) and is_printed(stack[-1], match)
                   for stack, time in whole.items()):
            wrong.append(f"{path}: {match.group(2)} has {match.group(1)} nowhere")
    print(f"{printed.name}: {lines} lines")
    return wrong + ([] if lines > 5 else [f"{printed}: no lines"])


def tree_times(frame, above, sums):
    """Path -> us, as printed, and the number of times it was."""
    path = above
    if frame["function"] != "[self]":
        file = "" if frame["file_path"] == "<built-in>" else frame["file_path"]
        path += ((frame["function"], file, frame["line_no"] if file else 0),)
        sums[path][0] += round(frame["time"] * 1e6)
        sums[path][1] += 1
    for child in frame["children"]:
        tree_times(child, path, sums)


def check_tree(path, tree):
    """pyinstrument rounds a frame every time it comes in its time line, by at most 0.5 us."""
    sums = collections.defaultdict(lambda: [0, 0])
    tree_times(json.loads(tree.read_text())["root_frame"], (), sums)
    session, printed = ({bare(p): t for p, t in whole_times(read(f)).items()}
                        for f in (path, tree))
    wrong = [f"{tree}: {p}: {printed[p]} ns, not {us} us" for p, (us, _) in sums.items()
             if printed[p] != 1000 * us]
    # The session has frames of pyinstrument above what its tree begins with.
    for stack, (us, times) in sums.items():
        same = [t for p, t in session.items() if p[-len(stack):] == stack]
        if not any(abs(t - 1000 * us) <= 500 * times for t in same):
            wrong.append(f"{path}: {stack} has {us} us nowhere")
    print(f"{tree.name}: {len(sums)} paths")
    return wrong


def look(root):
    files = sorted(root.glob("**/*.pyisession*"))
    wrong = [text for f in files for text in check_session(f)]
    wrong += [text for s, p in PRINTED for text in check_printed(root / s, root / p)]
    wrong += [text for s, t in TREES for text in check_tree(root / s, root / t)]
    for f in [*root.glob(GENERATED + "*.json"), *root.glob("cases/*.pyi.json")]:
        data = json.loads(f.read_text())
        if data.get("root_frame"):
            total = sum(read(f).values())
            if total != round(data["root_frame"]["time"] * 1e6) * 1000:
                wrong.append(f"{f}: {total} ns in all")
    return wrong, len(files)


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
