#!/usr/bin/env python3
"""The call graphs of the corpus are those of gprof2dot, number by number.

Every X.expected-gprof2dot.dot in it is what gprof2dot draws by default of X.prof or
X.pstats. Boxes must agree in label (but for the names of built-in functions), color and font size, arrows in their ends, label, color
and widths. Ends are known by their labels, as the ids of the two programs differ. Skipped
where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""

import collections
import os
import re
import subprocess
import sys

from corpus import corpus

ID = r'("(?:[^"\\]|\\.)*"|[^\s"\[]+)'
STATEMENT = re.compile(r'^\t' + ID + '(?: -> ' + ID + r')? \[(.*)\];$')
ATTRIBUTE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,\s]+)')
BOX = ("color", "fontsize")
ARROW = ("color", "fontsize", "penwidth", "labeldistance", "arrowsize")
SKIP = 77
EXPECTED = ".expected-gprof2dot.dot"

# Where gprof2dot shows what is not so: pyinstrument writes -1 for "not counted", and yappi
# exchanges the two counts of a function (not of its callers), which gprof2dot believes.
UNKNOWN_CALLS = re.compile(r"\\n-1\u00d7")
CALLS = re.compile(r"\\n\d+\u00d7\"$")


# Functions of C, which profkit calls as programs do; blanks may be line breaks of --wrap.
PLAIN = tuple((re.compile(pattern.replace(" ", r"(?: |\\n)")), name) for pattern, name in (
    (r"<method '(.+?)' of '(.+?)' objects>", r"\2.\1"),
    (r"<built-in method (\S+) of (.+?) object at [^>]*>", r"\2.\1"),
    (r"<built-in method ([^\s\\]+)>", r"\1"),
    (r'^"~:0:', '"')))


def plain(label):
    for pattern, replacement in PLAIN:
        label = pattern.sub(replacement, label)
    return label


def parse(text, yappi):
    """Boxes and arrows as multisets of what can be compared."""
    labels, boxes, arrows = {}, collections.Counter(), []
    for line in text.splitlines():
        match = STATEMENT.match(line)
        if not match or match.group(1) in ("graph", "node", "edge", "legend"):
            continue
        tail, head, rest = match.groups()
        values = dict(ATTRIBUTE.findall(rest))
        values["label"] = plain(UNKNOWN_CALLS.sub("", values.get("label", '""')))
        if head is None:
            if yappi:
                values["label"] = CALLS.sub('"', values["label"])
            labels[tail] = values["label"]
            boxes[(values["label"],) + tuple(values[k] for k in BOX)] += 1
        else:
            arrows.append((tail, head, values["label"]) + tuple(values[k] for k in ARROW))
    return boxes, collections.Counter(
        (labels[a[0]], labels[a[1]]) + a[2:] for a in arrows)


def source_of(expected):
    stem = expected.name[: -len(EXPECTED)]
    for suffix in (".prof", ".pstats"):
        path = expected.with_name(stem + suffix)
        if path.is_file():
            return path
    return None


def report(what, ours, theirs):
    for extra, side in ((ours - theirs, "only profkit"), (theirs - ours, "only gprof2dot")):
        for item in list(extra.elements())[:5]:
            print(f"    {what}, {side}: {item}")


def main():
    profkit = os.environ.get("PROFKIT", "profkit")
    compared = failed = boxes = arrows = 0
    if not corpus().is_dir():
        print(f"skipped: no corpus at {corpus()}")
        return SKIP
    for expected in sorted(corpus().rglob("*" + EXPECTED)):
        source = source_of(expected)
        if source is None:
            print(f"FAIL {expected}: the profile that it shows is not there")
            failed += 1
            continue
        run = subprocess.run([profkit, "callgraph", str(source)], capture_output=True)
        yappi = ".yappi-" in source.name
        theirs = parse(expected.read_text(encoding="utf-8"), yappi)
        ours = parse(run.stdout.decode("utf-8"), yappi)
        compared += 1
        boxes += sum(theirs[0].values())
        arrows += sum(theirs[1].values())
        if run.returncode != 0 or ours != theirs or not theirs[0]:
            failed += 1
            print(f"FAIL {source}: status {run.returncode} {run.stderr.decode()}")
            report("box", ours[0], theirs[0])
            report("arrow", ours[1], theirs[1])
    print(f"{compared} files compared, {failed} differ; {boxes} boxes, {arrows} arrows")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
