#!/usr/bin/env python3
"""Every text of gprof in the corpus: self, total and calls of each function, and of each call, are those of the tables
that the file prints; a gmon.out with its program has those of the tables that gprof made of it.

- The call graph counts where there is one; a flat profile alone gives no calls, and totals by call.
- Functions of one name are added up: a file does not tell them apart but by their numbers.
- The printed total of a function in a cycle is without what the others of it call, so that ours may be larger.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import os
import re
import subprocess
import sys

from corpus import compare_files, corpus, query

TIME = r"\s+(\d+\.\d\d)"
NAME = r"\s+(\S.*?)(?: \(\S+:\d+ @ [\da-f]+\))?"
MARKS = r"(?: <cycle \d+>)? \[(\d+)\]$"
FLAT = re.compile(r"\s*\d+\.\d+" + TIME + TIME + r"(?:\s+(\d+)(?:\s+(\d+\.\d+)\s+(\d+\.\d+))?)?" + NAME + "$")
PRIMARY = re.compile(r"\[(\d+)\]\s+\d+\.\d+" + TIME + TIME + r"(?:\s+(\d+)(?:\+(\d+))?)?" + NAME + MARKS)
ARC = re.compile(r"\s+(?:" + TIME[3:] + TIME + r"\s+)?(\d+)(?:/\d+)?" + NAME + MARKS)
# Times are compared in 1/100 of a second, or of 1000 cycles, as they are printed.
HUNDREDTHS = {"s": 100, "ms": 0.1, "us": 1e-4, "ns": 1e-7}
UNSEEN = 0  # of "Ts/call": no time was seen at all


def hundredths(text):
    return round(float(text) * 100)


class Table:
    def __init__(self):
        self.functions = {}  # name: [self, total, calls or None]
        self.arcs = {}       # (caller, callee): [total or None, calls]
        self.cycles = set()  # names of functions in them
        self.graph = False

    def add(self, name, self_time, total, calls):
        row = self.functions.setdefault(name, [0, 0, None])
        row[0] += self_time
        row[1] += total
        row[2] = row[2] if calls is None else (row[2] or 0) + calls


def read_flat(lines, table):
    unit = None
    for line in lines:
        if line.rstrip().endswith("name"):
            found = re.search(r"(\w+)/call\s+name", line)
            unit = HUNDREDTHS.get(found[1], UNSEEN) if found else None
        row = FLAT.match(line.rstrip())
        if row and unit is not None:
            calls = int(row[3]) if row[3] else None
            total = float(row[5]) * unit * calls if row[5] else 0
            table.add(row[6], hundredths(row[2]), max(total, hundredths(row[2])), calls)
        elif row:
            table.add(row[6], hundredths(row[2]), hundredths(row[2]), int(row[3]) if row[3] else None)


def read_entry(lines, table, arcs):
    """What called the function is before its own line, what it calls behind."""
    found = [PRIMARY.match(line) for line in lines]
    if not any(found):
        return
    at = next(i for i, row in enumerate(found) if row)
    own = found[at]
    if own[6].startswith("<cycle "):
        return
    if "<cycle " in lines[at]:
        table.cycles.add(own[6])
    calls = int(own[4]) + int(own[5] or 0) if own[4] else None
    table.add(own[6], hundredths(own[2]), hundredths(own[2]) + hundredths(own[3]), calls)
    for i, line in enumerate(lines):
        arc = ARC.match(line)
        if i == at or not arc:
            continue
        other, mine = (arc[4], arc[5]), (own[6], own[7])
        total = hundredths(arc[1]) + hundredths(arc[2]) if arc[1] else None
        arcs[(other, mine) if i < at else (mine, other)] = total, int(arc[3])


def read_tables(path):
    text, table, arcs = path.read_text(errors="replace").expandtabs(), Table(), {}
    header = re.search(r"^index.* name", text, re.M)
    if not header:
        read_flat(text.splitlines(), table)
        return table
    table.graph = True
    graph = re.split(r"\f|\n Index by|\nIndex by| This table describes", text[header.end():])[0]
    for entry in re.split(r"^ *-{5,}.*$", graph, flags=re.M):
        read_entry(entry.splitlines(), table, arcs)
    for (caller, callee), (total, calls) in arcs.items():
        row = table.arcs.setdefault((caller[0], callee[0]), [None, 0])
        row[0] = row[0] if total is None else (row[0] or 0) + total
        row[1] += calls
    return table


EDGES = """select (select text from string where id = g.name), (select text from string where id = f.name),
    sum(e.self) / unit, sum(e.total) / unit, sum(e.calls)
    from edge e join function f on f.id = e.callee left join function g on g.id = e.caller
    join (select iif((select text from string where id = name) = 'time', 1e7, 10) as unit from metric where id = 1)
    group by e.caller is null, g.name, f.name"""


def compare(path):
    return compare_tables(read_tables(path), query(path, EDGES))


def compare_gmon(path):
    """A gmon.out with its program beside it: all functions and calls, and the flat profile byte for byte."""
    binary = "-O", f"binary={path.parent / path.name.replace('.gmon.out', '-pg.elf')}"
    done = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "hotspots", "--like", "gprof", *binary, str(path)],
                          capture_output=True, check=False)
    if b"without elfutils" in done.stderr:
        print("profkit was built without elfutils")
        return 0
    assert done.stdout == path.with_name(path.name + ".expected-flat-brief.txt").read_bytes(), done.stderr
    return compare_tables(read_tables(path.with_name(path.name + ".expected-brief.txt")), query(path, EDGES, *binary))


def compare_tables(table, ours):
    functions = {callee: row for caller, callee, *row in ours if caller is None}
    arcs = {(caller, callee): [row[1], row[2]] for caller, callee, *row in ours if caller is not None}
    assert table.functions, "no functions found by the test"
    for name, (self_time, total, calls) in table.functions.items():
        mine = functions[name]
        assert (round(mine[0]), mine[2]) == (self_time, calls), f"{name}: {mine}, not {self_time, total, calls}"
        if name in table.cycles:
            assert mine[1] > total - 0.5, f"{name}: {mine}, not {total} or more"
        else:
            assert abs(mine[1] - total) < 0.5, f"{name}: {mine}, not {self_time, total, calls}"
    for key, row in table.arcs.items():
        assert arcs[key] == row, f"{key}: {arcs[key]}, not {row}"
    return len(table.functions) + len(table.arcs)


files = [path for pattern in ("generated/gprof/*.txt", "real/gprof/*.txt", "peers/gprof2dot/tests/prof/*.prof")
         for path in sorted(corpus().glob(pattern)) if "exec" not in path.name and path.name != "issue88.prof"]
sys.exit(compare_files(files, compare, "functions and calls", 1000) or
         compare_files(sorted(corpus().glob("real/gprof/*.gmon.out")), compare_gmon, "functions and calls of gmon.out", 0))
