#!/usr/bin/env python3
"""Compares flame graphs with those that flamegraph.pl and inferno drew of the same stacks.

For every pair of the table below the same paths must have a box, with the same count
and share. Boxes are put together again from their geometry, so the picture's layout is
tested as well. A path that is drawn twice there (flamegraph.pl sorts whole lines, and
so parts boxes whose names begin alike) counts as one.

usage: corpus_flamegraph.py PROFKIT CORPUS
"""
import gzip
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

RESULTS = "peers/FlameGraph/test/results/"
INFERNO = "peers/inferno/tests/data/flamegraph/"
VERTX = RESULTS + "perf-vertx-stacks-01-collapsed-all.txt"
# inferno leaves out what is narrower than 0.01 %, py-spy than 0.1 %.
LEAST = ["--minwidth", "0.01%"]
PAIRS = [
    ("generated/flamegraph-svg/perl-diff.svg", "generated/flamegraph-svg/diff.txt", []),
    ("generated/flamegraph-svg/perl-diff-negate.svg", "generated/flamegraph-svg/diff.txt",
     ["--negate"]),
    ("generated/flamegraph-svg/perl-factor0.5.svg", VERTX, ["--factor", "0.5"]),
    ("generated/flamegraph-svg/perl-total5000-ms-subtitle.svg", VERTX,
     ["--total", "5000", "--countname", "ms"]),
]

TITLE = re.compile(r"(.*) \(([\d,.]+) (.*), ([\d.]+)%(?:; ([+-]?[\d.]+)%)?\)$", re.S)


def number(text):
    return float(text.rstrip("%"))


def read(path):
    data = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    return ET.fromstring(data)


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
        found.append((number(rect.get("y")), x, x + width, match[1],
                      float(match[2].replace(",", "")), float(match[4])))
    rows = sorted({b[0] for b in found})
    widest = max(found, key=lambda b: (b[2] - b[1], b[3] == "all"))
    if widest[0] != rows[0]:
        rows.reverse()
    index = {y: i for i, y in enumerate(rows)}
    return [(index[b[0]],) + b[1:] for b in found]


def paths(root):
    """path -> (count, share), from a picture."""
    rows, result, parent = {}, {}, {}
    for box in sorted(boxes(root)):
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


def draw(profkit, stacks, options):
    done = subprocess.run([profkit, "flamegraph", "-q", stacks] + options,
                          stdout=subprocess.PIPE, check=True)
    return paths(ET.fromstring(done.stdout))


def differences(ours, theirs):
    for path in sorted(set(ours) | set(theirs)):
        a, b = ours.get(path), theirs.get(path)
        if a is None or b is None:
            yield "%s: %s" % (";".join(path), "missing" if a is None else "not theirs")
        elif a[0] != b[0] or abs(a[1] - b[1]) > 0.0101:
            yield "%s: %s, theirs %s" % (";".join(path), a, b)


def main():
    profkit, corpus = sys.argv[1:3]
    failed = compared = 0
    for svg, stacks, options in PAIRS:
        theirs = paths(read(os.path.join(corpus, svg)))
        ours = draw(profkit, os.path.join(corpus, stacks), options)
        wrong = list(differences(ours, theirs))
        compared += len(theirs)
        print("%-80s %6d boxes, %d differ" % (svg, len(theirs), len(wrong)))
        for line in wrong[:5]:
            print("    " + line)
        failed += bool(wrong)
    print("%d pictures, %d boxes, %d pictures differ" % (len(PAIRS), compared, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
