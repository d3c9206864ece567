#!/usr/bin/env python3
"""Flame graphs have the boxes of those that flamegraph.pl and inferno drew of the same stacks.

For every pair of the table the same paths must have a box, with the same count and share.
Boxes are put together again from their geometry, so the picture's layout is tested as
well. A path that is drawn twice there (flamegraph.pl sorts whole lines, and so parts boxes
whose names begin alike) counts as one, but for charts, where places count too.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source
folder).
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from corpus import corpus

SKIP = 77
PROFKIT = os.environ.get("PROFKIT", "profkit")

GENERATED = "generated/flamegraph-svg/"
INFERNO = "peers/inferno/tests/data/"
VERTX = "peers/FlameGraph/test/results/perf-vertx-stacks-01-collapsed-all.txt"
UNSORTED = INFERNO + "flamegraph/unsorted-input/perf-vertx-stacks-01-collapsed-all-unsorted.txt"
FLAMES = INFERNO + "flamegraph/base/flames.txt"
# inferno leaves out what is narrower than 0.01 %, py-spy than 0.1 %.
LEAST = ["--minwidth", "0.01%"]
PYSPY = ["--inverted", "--minwidth", "0.1%"]


def with_stack(line):
    """inferno leaves out lines without a stack."""
    return "" if re.match(r"\s*[\d.]+$", line) else line


def base_not_leaf(line):
    """inferno overlooks a --base that is the leaf. The mark added here is not shown."""
    return re.sub(r";(Final|Samples) (?=\d+$)", r";\1_[i] ", line)


PAIRS = [
    (GENERATED + "perl-diff.svg", GENERATED + "diff.txt", []),
    (GENERATED + "perl-diff-negate.svg", GENERATED + "diff.txt", ["--negate"]),
    (GENERATED + "perl-factor0.5.svg", VERTX, ["--factor", "0.5"]),
    (GENERATED + "perl-total5000-ms-subtitle.svg", VERTX,
     ["--total", "5000", "--countname", "ms", "--subtitle", "Sub"]),
    (INFERNO + "flamegraph/example-perf-stacks/example-perf-stacks.svg",
     INFERNO + "collapse-perf/results/example-perf-stacks-collapsed.txt", LEAST),
    (INFERNO + "flamegraph/grey-frames/grey-frames.svg",
     INFERNO + "flamegraph/grey-frames/grey-frames.txt", LEAST),
    (INFERNO + "flamegraph/austin/flame.svg", INFERNO + "flamegraph/austin/flames.txt", LEAST),
    (INFERNO + "flamegraph/inverted/inverted.svg", UNSORTED, LEAST + ["--inverted"]),
    (INFERNO + "flamegraph/options/colordiffusion.svg", UNSORTED, LEAST + ["--colordiffusion"]),
    (INFERNO + "flamegraph/fractional-samples/fractional-reversed.svg",
     INFERNO + "flamegraph/fractional-samples/no-fractionals.txt", LEAST + ["--reverse"]),
    (INFERNO + "flamegraph/base/single-base.svg", FLAMES, LEAST + ["--base", "Final"],
     base_not_leaf),
    (INFERNO + "flamegraph/base/multi-base.svg", FLAMES,
     LEAST + ["--base", "Final", "--base", "Samples"], base_not_leaf),
    (INFERNO + "flamegraph/flamechart/flame.svg", INFERNO + "flamegraph/flamechart/flames.txt",
     LEAST + ["--flamechart"]),
] + [
    ("real/py-spy/%s.raw.txt.expected-inferno-flamegraph.svg" % name,
     "real/py-spy/%s.raw.txt" % name, PYSPY, with_stack)
    for name in ("ex3-good", "inventory-function", "numwork-native", "pipeline-full",
                 "workers-idle", "workers-threads")
]

TITLE = re.compile(r"(.*) \(([\d,.]+) (.*), ([\d.]+)%(?:; ([+-]?[\d.]+)%)?\)$", re.S)


def number(text):
    return float(text.rstrip("%"))


def read(path):
    if not path.exists():
        path = path.with_name(path.name + ".gz")
    data = path.read_bytes()
    return ET.fromstring(gzip.decompress(data) if path.suffix == ".gz" else data)


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def boxes(root):
    """(row, from, to, name, count, share) of every box, rows counted from the root."""
    frames = next(e for e in root.iter() if e.get("id") == "frames")
    found = []
    for group in frames:
        title = next((e for e in group if local(e) == "title"), None)
        rect = next((e for e in group if local(e) == "rect"), None)
        match = TITLE.match(title.text or "") if title is not None and rect is not None else None
        if not match:
            continue
        x, width = number(rect.get("x")), number(rect.get("width"))
        # Blanks are no part of a name in folded stacks as profkit reads them.
        found.append((number(rect.get("y")), x, x + width, match[1].strip(),
                      float(match[2].replace(",", "")), float(match[4])))
    rows = sorted({b[0] for b in found})
    widest = max(found, key=lambda b: (b[2] - b[1], b[3] == "all"))
    if widest[0] != rows[0]:
        rows.reverse()
    index = {y: i for i, y in enumerate(rows)}
    return sorted((index[b[0]],) + b[1:] for b in found)


def paths(found):
    """path -> (count, share)."""
    rows, result, parent = {}, {}, {}
    for box in found:
        rows.setdefault(box[0], []).append(box)
    for depth in sorted(rows):
        for box in rows[depth]:
            middle = (box[1] + box[2]) / 2
            above = next((b for b in rows.get(depth - 1, ()) if b[1] <= middle <= b[2]), None)
            path = (parent[above] if above else ()) + (box[3],)
            parent[box] = path
            count, share = result.get(path, (0, 0))
            result[path] = (count + box[4], share + box[5])
    return result


def places(found):
    """Every box with its place."""
    return {(row, round(x, 3), name): (count, share) for row, x, _, name, count, share in found}


def draw(stacks, options, change):
    with stacks.open(encoding="utf-8", errors="surrogateescape") as file:
        lines = [change(line) for line in file]
    if "--flamechart" in options:
        lines.reverse()  # inferno draws from the last line to the first
    with tempfile.NamedTemporaryFile("w", suffix=".raw.txt", encoding="utf-8",
                                     errors="surrogateescape") as file:
        file.writelines(lines)
        file.flush()
        done = subprocess.run([PROFKIT, "flamegraph", "-q", "-f", "folded", file.name] + options,
                              stdout=subprocess.PIPE, check=True)
    return boxes(ET.fromstring(done.stdout))


def differences(ours, theirs):
    for key in sorted(set(ours) | set(theirs)):
        a, b = ours.get(key), theirs.get(key)
        if a is None or b is None:
            yield "%s: %s" % (key, "missing" if a is None else "not theirs")
        elif a[0] != b[0] or abs(a[1] - b[1]) > 0.0101:
            yield "%s: %s, theirs %s" % (key, a, b)


def main():
    folder = corpus()
    if not (folder / GENERATED).is_dir():
        print("skipped: there is no corpus at %s" % folder)
        return SKIP
    failed = compared = 0
    for svg, stacks, options, *change in PAIRS:
        shape = places if "--flamechart" in options else paths
        theirs = shape(boxes(read(folder / svg)))
        ours = shape(draw(folder / stacks, options, change[0] if change else str))
        wrong = list(differences(ours, theirs))
        compared += len(theirs)
        print("%-84s %6d boxes, %d differ" % (svg, len(theirs), len(wrong)))
        for line in wrong[:5]:
            print("    " + line)
        failed += bool(wrong)
    print("%d pictures, %d boxes; %d pictures differ" % (len(PAIRS), compared, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
