#!/usr/bin/env python3
"""Flame graphs of the corpus are read as the paths that they were drawn of.

The HTML page of async-profiler is among them: its script is followed here once more.

Three ways to check: boxes put together by another program (corpus_flamegraph.py, from their
places alone) have the same paths and counts; the stacks that pictures were drawn of have the
same count at every path that is in the picture, and the same total; and stacks drawn by
profkit come back as they were, but for the marks "_[k]" that no title has.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

import corpus_flamegraph as drawn

SKIP = 77
PROFKIT = os.environ.get("PROFKIT", "./profkit")
# Names of py-spy's pictures are taken apart.
SQL = """SELECT node.id, parent, coalesce(sum(self), 0) AS self, function.text ||
    coalesce(' (' || coalesce(file.text, module.text) ||
             CASE WHEN location.line THEN ':' || location.line ELSE '' END || ')', '') AS name
  FROM node JOIN location ON location.id = location JOIN function AS f ON f.id = location.function
  JOIN string AS function ON function.id = f.name
  LEFT JOIN string AS file ON file.id = file LEFT JOIN string AS module ON module.id = module
  LEFT JOIN cost ON cost.node = node.id AND cost.metric = 1
  GROUP BY node.id ORDER BY node.id"""
NOT_DRAWN = ("[not drawn]",)
# The numbers of paths of pictures that the other program cannot put together.
OTHERS = {
    "peers/FlameGraph/example-dtrace.svg": (57441, 396),
    "peers/FlameGraph/example-perf.svg": (1315, 1138),
    "peers/cargo-flamegraph/example.svg": (63832, 6452),
}
# No flame graph, and one of nothing.
REFUSED = ["generated/snakeviz-flameprof-tuna/", "flamegraph/empty/empty.svg"]
STACKS = ["real/*/*.raw.txt", "peers/FlameGraph/test/results/*.txt",
          "peers/inferno/tests/data/collapse-*/results/*.txt",
          "peers/inferno/tests/data/flamegraph/austin/*.txt"]


def run(*args):
    return subprocess.run([PROFKIT, *map(str, args)], capture_output=True, check=True).stdout


def plain(name):
    """Blanks are no part of a name for the other program; "?" is a file not known to py-spy."""
    return name.strip().removesuffix(" (?)")


def read(path):
    """Path -> count of all below, and the total; of the first metric."""
    paths, sums = {None: ()}, collections.Counter()
    total = 0
    for row in json.loads(run("query", "--format", "json", path, SQL))["rows"]:
        path = paths[row["id"]] = paths[row["parent"]] + (plain(row["name"]),)
        total += row["self"]
        for depth in range(len(path)):
            sums[path[:depth + 1]] += row["self"]
    sums.pop(NOT_DRAWN, None)
    return sums, total


def scale(unit):
    return {"ms": 1000000}.get(unit, 1)


def check_boxes(svg):
    """Every path and its count, as another program puts the boxes together."""
    root = drawn.read(svg)
    found = drawn.boxes(root)
    theirs = {tuple(map(plain, path[1:])): int(count)
              for path, (count, _) in drawn.paths(found).items()}
    total = theirs.pop(())
    ours, our_total = read(svg)
    factor = scale(re.search(r"all \([\d,]+ (.*), 100%\)", svg_text(root))[1])
    # Where counts are rounded one by one, a frame may have less than what is below it.
    slack = 2 * factor if "factor" in svg.name else 0
    wrong = [f"{path}: {ours[path]}, not {count}" for path, count in theirs.items()
             if abs(ours[path] - count * factor) > slack]
    wrong += [f"{path}: not drawn" for path in ours if path not in theirs]
    if abs(our_total - total * factor) > slack:
        wrong.append(f"{our_total} in all, not {total}")
    return len(theirs), wrong


def svg_text(root):
    return "\n".join(e.text or "" for e in root.iter() if drawn.local(e) == "title")


def unmarked(line):
    return re.sub(rb"_\[[kwij]\](?=;| \d+$)", b"", line)


def totals(stacks, change):
    """Sums of all paths, and of all; in whole numbers, without marks."""
    sums, total = collections.Counter(), 0
    for line in stacks.read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
        match = re.match(r"(.*\S)\s+(\d+)$", change(line))
        if match and not line.startswith("# "):
            names = [re.sub(r"_\[[kwij]\]$", "", plain(n)) for n in match[1].split(";")]
            total += int(match[2])
            for depth in range(len(names)):
                sums[tuple(names[:depth + 1])] += int(match[2])
    return sums, total


def check_stacks(svg, stacks, change):
    right, total = totals(stacks, change)
    ours, our_total = read(svg)
    wrong = [f"{path}: {count}, not {right[path]}" for path, count in ours.items()
             if right[path] != count]
    if total != our_total:
        wrong.append(f"{our_total} in all, not {total}")
    return len(ours), wrong


def check_round(stacks, svg):
    """Folded stacks, a picture with every box, folded stacks."""
    subprocess.run([PROFKIT, "flamegraph", "-q", "--minwidth", "0", "-m", "1", "-f", "folded",
                    "--demangle", "no", stacks, "-o", svg], check=True)
    before = run("convert", "-q", "-f", "folded", "-t", "folded", stacks, "-").split(b"\n")
    before = sorted(map(unmarked, before))
    after = sorted(run("convert", "-q", "-t", "folded", svg, "-").split(b"\n"))
    merged = collections.Counter()
    for line in before[1:]:
        stack, count = line.rsplit(b" ", 1)
        merged[stack] += int(count)
    before = sorted([b""] + [b"%s %d" % item for item in merged.items()])
    return len(after) - 1, [f"{x!r}, not {y!r}" for x, y in zip(after, before) if x != y]


def report(name, result):
    count, wrong = result
    print(f"{name:84} {count:6} paths, {len(wrong)} differ")
    for text in wrong[:5]:
        print("    " + text)
    return bool(wrong)


def check_refused(svg):
    done = subprocess.run([PROFKIT, "info", str(svg)], capture_output=True, check=False)
    return 0, [] if done.returncode == 2 else ["is read"]


def check_page(page):
    """As the page's own script unpacks it: every call of f, u and n makes a frame."""
    text = page.read_text()
    pool = [eval(line.rstrip(","))  # pylint: disable=eval-used
            for line in re.search(r"const cpool = \[\n(.*?)\n\];", text, re.S)[1].split("\n")]
    for i in range(1, len(pool)):
        pool[i] = pool[i - 1][:ord(pool[i][0]) - 32] + pool[i][1:]
    path, right, width = [], collections.Counter(), 0
    for kind, numbers in re.findall(r"^([fun])\(([\d,]+)\)$", text, re.M):
        key, *rest = map(int, numbers.split(","))
        if kind == "f":
            level, rest = rest[0], rest[2:]
        else:
            level = len(path) - (kind == "n" and bool(path))
        width = rest[0] if rest and rest[0] else width
        path = path[:level] + [pool[key >> 3]]
        right[tuple(path[1:])] += width
    total = right.pop(())
    ours, our_total = read(page)
    wrong = [f"{path}: {ours[path]}, not {right[path]}" for path in set(right) | set(ours)
             if right[path] != ours[path]]
    return len(right), wrong + ([] if total == our_total else [f"{our_total} in all"])


def check_picture(folder, svg):
    name = str(svg.relative_to(folder))
    if any(part in name for part in REFUSED):
        return report(name, check_refused(svg))
    if name in OTHERS:
        sums, total = read(svg)
        right = (total, len(sums)) == OTHERS[name]
        return report(name, (len(sums), [] if right else [f"{total} in {len(sums)} paths"]))
    if "nameattr" in name:
        return report(name, (0, [] if read(svg)[1] == 333 else ["another total"]))
    return report(name, check_boxes(svg))


def main():
    folder = drawn.corpus()
    if not (folder / drawn.GENERATED).is_dir():
        print(f"skipped: there is no corpus at {folder}")
        return SKIP
    pictures = sorted(folder.glob("**/*.svg")) + sorted(folder.glob("**/*.svg.gz"))
    wrong = sum(check_picture(folder, svg) for svg in pictures)
    page = folder / "peers/async-profiler/.assets/html/flamegraph.html"
    wrong += report(page.name, check_page(page))
    pairs = 0
    for svg, stacks, options, *change in drawn.PAIRS:
        # What was changed in drawing is not in the stacks.
        if not set(options) & {"--reverse", "--base", "--total", "--factor", "--negate"} \
                and "diff" not in svg:
            path = folder / svg
            path = path if path.exists() else path.with_name(path.name + ".gz")
            wrong += report(f"{svg.rsplit('/', 1)[-1]} of {stacks.rsplit('/', 1)[-1]}",
                            check_stacks(path, folder / stacks, change[0] if change else str))
            pairs += 1
    files = sorted({f for pattern in STACKS for f in folder.glob(pattern) if f.stat().st_size})
    with tempfile.TemporaryDirectory() as work:
        for stacks in files:
            wrong += report(f"{stacks.name} drawn and read", check_round(stacks, work + "/x.svg"))
    print(f"{len(pictures)} pictures, {pairs} with their stacks, {len(files)} drawn by profkit; "
          f"{wrong} differ")
    return 1 if wrong or not pictures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
