#!/usr/bin/env python3
"""callgrind.py OBJECT MADE-BY FILE: prints instruction counts that valgrind --tool=callgrind wrote
to FILE as a baseline of profkit check: the functions of one OBJECT (the base name of a program or
library), with their files and lines. MADE-BY says what machine code it was."""
import json
import os
import re
import sys

COST = re.compile(r"[-+*0-9]\S* (\d+)")


class Names:
    """Names are written once, "(3) main", and then by their number alone."""

    def __init__(self):
        self.known = {}

    def __call__(self, text):
        number, _, name = text.partition(" ")
        if name:
            self.known[number] = name
        return self.known[number]


def read(lines):
    objects, files, functions = Names(), Names(), Names()
    table = {}  # object, function -> [file, line, self, calls]
    here = callee_object = None
    file = current_object = ""
    line = 0
    inclusive = False
    for text in lines:
        key, equals, value = text.rstrip("\n").partition("=")
        if equals and key == "ob":
            current_object = objects(value)
        elif equals and key in ("fl", "fi", "fe"):
            file = files(value)
            own = key == "fl"
        elif equals and key == "fn":
            here = table.setdefault((current_object, functions(value)), [file, 0, 0, 0])
            callee_object, own = current_object, True
        elif equals and key == "cob":
            callee_object = objects(value)
        elif equals and key in ("cfi", "cfl"):
            callee_file = files(value)
        elif equals and key == "cfn":
            callee = functions(value)
        elif equals and key == "calls":
            table.setdefault((callee_object, callee), ["", 0, 0, 0])[3] += int(value.split()[0])
            callee_object, inclusive = current_object, True
        elif COST.match(text):
            place, cost = text.split()[:2]
            if place[0] in "+-":
                line += int(place)
            elif place != "*":
                line = int(place)
            if not inclusive:
                here[2] += int(cost)
                if own and line and (not here[1] or line < here[1]):
                    here[0], here[1] = file, line
            inclusive = False
    return table


def main():
    wanted, made_by, path = sys.argv[1:]
    with open(path, encoding="utf-8", errors="replace") as f:
        table = read(f)
    metric = {"name": "instructions", "unit": "count", "kind": "count", "exactness": "exact"}
    header = {"version": 1, "runs": 1, "producer": "callgrind", "host": made_by,
              "metrics": [metric]}
    print('{"profkit": "baseline", ' + json.dumps(header, separators=(",", ":"))[1:])
    rows = []
    for (binary, name), (file, line, cost, calls) in table.items():
        if os.path.basename(binary) != wanted or not cost or name.startswith("0x"):
            continue
        file = re.sub(r"^.*/(?=(src|tools)/)", "", file)
        row = {"function": name.split("'")[0]}
        if file.startswith(("src/", "tools/")):
            row.update(file=file, line=line)
        row.update(calls=calls, self=[cost])
        rows.append(row)
    rows.sort(key=lambda row: (row.get("file", ""), row["function"]))
    for row in rows:
        print(json.dumps(row, separators=(",", ":")))


main()
