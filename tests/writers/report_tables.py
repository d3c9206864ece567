#!/usr/bin/env python3
"""The tables of other commands in the page of `report` have the rows, columns and numbers of these commands; but for the
lines, among which the page puts the text of the source."""
import base64
import json
import math
import os
import re
import subprocess
import sys
import zlib

PROFKIT = os.path.realpath(os.environ.get("PROFKIT", "build/profkit"))
TESTDATA = os.environ.get("TESTDATA", "testdata")
# View of the page: the command with the same table, and the member with its rows.
COMMANDS = {
    "benchmarks": ("hotspots", "rows"),
    "gpu": ("gpu", "rows"),
    "memory": ("memory", "rows"),
    "ops": ("ops", "rows"),
    "workers": ("workers", "workers"),
}
FILES = ("torch/gpu.json", "torch/rank0.json torch/rank1.json", "workers/contended/lock.viztracer.json.gz", "memray/all.bin", "pytest-benchmark/odd.json")
failed = []
seen = set()


def expect(what, good, said=""):
    if not good:
        failed.append(what)
        print("not ok: %s\n    %s" % (what, str(said)[:1000]))


def profkit(*words):
    return subprocess.run([PROFKIT, *words, "-q"], stdout=subprocess.PIPE, check=True).stdout.decode()


def page_of(paths):
    text = re.search('id="data">(.*?)</script>', profkit("report", *paths), re.S)[1].strip()
    return json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))


def same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-5)  # the page has six digits
    return a == b


def compare(paths, table):
    view, name = table["view"], table["name"]
    command, member = COMMANDS[view]
    rows = json.loads(profkit(command, *paths, "--format", "json", "-n", "0", *(["--view", name] if name else [])))[member]
    what = "%s: %s %s" % (os.path.relpath(paths[-1], TESTDATA), view, name)
    seen.add((view, name))
    expect(what + ": rows", table["rows"] == len(rows) - table["left"], (table["rows"], table["left"], len(rows)))
    for column in table["columns"]:
        key, cells = column["key"], column.get("cells", [None] * table["rows"])
        expect(what + ": cells of " + key, len(cells) == table["rows"], (len(cells), table["rows"]))
        for i, (cell, row) in enumerate(zip(cells, rows)):
            expect("%s: row %d: %s" % (what, i, key), same(cell, row[key]), (cell, row[key]))


for name in sys.argv[1:] or FILES:
    paths = [os.path.join(TESTDATA, part) for part in name.split()]
    for table in page_of(paths)["tables"]:
        if table["view"] in COMMANDS:
            compare(paths, table)
expect("every kind of table", {view for view, _ in seen} == set(COMMANDS), seen)
sys.exit(bool(failed))
