#!/usr/bin/env python3
"""What the tests run of the sources: a table by folder, and the lines that no test reaches.

    tests/measure/coverage.py GCOVR.json [SOURCES [FILE...]]

GCOVR.json is what gcovr --json wrote. The lines are listed with their text, of the files alone
whose names have one of FILE in them. Status 1 if less is covered than is wanted.
"""
import json
import os
import sys

# Per cent of lines in src/, and of branches in the readers.
WANTED_LINES, WANTED_BRANCHES = 90, 80


class Sum:
    def __init__(self):
        self.lines = self.hit = self.branches = self.taken = 0

    def add(self, line):
        if line["gcovr/noncode"]:
            return
        self.lines += 1
        self.hit += line["count"] > 0
        self.branches += len(line["branches"])
        self.taken += sum(branch["count"] > 0 for branch in line["branches"])

    def row(self, name):
        print("%-16s %7d %7d %6.1f %% %9d %7d %6.1f %%" % (
            name, self.lines, self.hit, self.lines_share(), self.branches, self.taken,
            self.branches_share()))

    def lines_share(self):
        return 100 * self.hit / max(self.lines, 1)

    def branches_share(self):
        return 100 * self.taken / max(self.branches, 1)


def ranges(numbers):
    """Numbers that follow each other, as pairs of the first and the last."""
    found = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return found


def list_missed(files, sources, wanted):
    for f in files:
        if wanted and not any(name in f["file"] for name in wanted):
            continue
        missed = [line["line_number"] for line in f["lines"]
                  if not line["gcovr/noncode"] and not line["count"]]
        with open(os.path.join(sources, f["file"]), encoding="utf-8") as text:
            lines = text.read().split("\n")
        for first, last in ranges(missed):
            print("%s:%d" % (f["file"], first))
            print("\n".join("    " + line for line in lines[first - 1:last]))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        files = sorted(json.load(f)["files"], key=lambda f: f["file"])
    folders, library = {}, Sum()
    for f in files:
        folder = folders.setdefault("/".join(f["file"].split("/")[:2 if f["file"].startswith("src/") else 1]), Sum())
        for line in f["lines"]:
            folder.add(line)
            if f["file"].startswith("src/"):
                library.add(line)
    if len(sys.argv) > 2:
        list_missed(files, sys.argv[2], sys.argv[3:])
    print("%-16s %7s %7s %8s %9s %7s %8s" % (
        "folder", "lines", "run", "", "branches", "taken", ""))
    for name in sorted(folders):
        folders[name].row(name)
    library.row("src, together")
    lines, branches = library.lines_share(), folders["src/readers"].branches_share()
    if lines < WANTED_LINES or branches < WANTED_BRANCHES:
        print("wanted: %d %% of the lines of src, %d %% of the branches of src/readers" % (
            WANTED_LINES, WANTED_BRANCHES))
        return 1
    return 0


sys.exit(main())
