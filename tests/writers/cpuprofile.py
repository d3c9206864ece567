#!/usr/bin/env python3
"""What is written for Chrome's developer tools is what they take, and nothing is lost: on all fixtures, the nodes are one
tree of which each has one parent, samples are of nodes that are there, and the times of functions, by samples and by
hitCount, are those in profkit's tables.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

from fractions import Fraction

PROFKIT = os.environ.get("PROFKIT", "profkit")
SQL = """SELECT coalesce((SELECT text FROM string WHERE id = f.name), ''), coalesce((SELECT text FROM string WHERE id = f.file), ''),
    coalesce(f.line, 0), coalesce((SELECT text FROM string WHERE id = m.name), ''), m.id, sum(c.self)
    FROM cost c JOIN node n ON n.id = c.node JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function
    JOIN metric m ON m.id = coalesce(c.metric, 1) GROUP BY 1, 2, 3, 4, 5"""


def run(*arguments):
    return subprocess.run([PROFKIT, *map(str, arguments)], capture_output=True, check=False)


def tables(path, metric):
    """The cost of each function in the first metric of that name."""
    rows = [tuple(row.values()) for row in json.loads(
        run("query", "-q", "--format", "json", path, SQL.replace("\n", " ")).stdout)["rows"]]
    chosen = min((number for *_, of, number, _ in rows if of == metric), default=0)
    sums = collections.Counter()
    for name, file, line, _, number, cost in rows:
        if number == chosen:
            sums["" if name == "(anonymous)" else name, file, line] += cost
    return sums


def problems(path, written):
    data = json.loads(written, parse_float=Fraction)
    nodes = {node["id"]: node for node in data["nodes"]}
    children = [child for node in data["nodes"] for child in node.get("children", ())]
    unit = Fraction(1000 if data["profkitUnit"] == "ns" else 1) * 10 ** data.get("profkitExponent", 0)
    if len(nodes) != len(data["nodes"]) or data["nodes"][0]["callFrame"]["functionName"] != "(root)":
        yield "ids are there twice, or the first node is not the root"
    if sorted(children) != sorted(set(nodes) - {data["nodes"][0]["id"]}):
        yield "a node has not one parent"
    if len(data["samples"]) != len(data["timeDeltas"]) or min(data["timeDeltas"], default=0) < 0:
        yield "samples and timeDeltas do not match"
    times = [sum(data["timeDeltas"][:1]), *data["timeDeltas"][1:]]
    lasts = times[1:] + [data["endTime"] - data["startTime"] - sum(times)]
    by_sample, by_hits = collections.Counter(), collections.Counter()
    for number, value in zip(data["samples"], lasts):
        by_sample[number] += value * unit
    sums = collections.Counter()
    for number, node in nodes.items():
        by_hits[number] += node["hitCount"]
        call = node["callFrame"]
        if call["functionName"] != "(root)":
            sums[call["functionName"], call["url"], call["lineNumber"] + 1] += by_sample[number]
    if +by_sample != +by_hits:
        yield "hitCount is not the time of the samples"
    known = +tables(path, data["profkitMetric"])
    if +sums != known:
        yield f"times of functions differ: {+sums - known} and {known - +sums}"


def main():
    files = failed = 0
    for path in sorted(pathlib.Path(os.environ.get("TESTDATA", "testdata")).glob("*/*")):
        if not path.is_file() or path.suffix in (".dump", ".py", ".sh") or path.name == "SOURCE":
            continue
        done = run("convert", "--to", "cpuprofile", path, "-")
        if done.returncode == 2 and done.stderr.startswith(b"profkit: "):
            continue  # no profile, or one without call paths
        if done.returncode or not done.stdout:
            print(f"{path}: status {done.returncode}")
            failed += 1
            continue
        if any(note in done.stderr for note in (b" cut", b"negative", b"estimated")):
            continue
        files += 1
        for problem in problems(path, done.stdout):
            print(f"{path}: {problem}"[:400])
            failed += 1
    print(f"{files} files, {failed} problems")
    return 1 if failed or files < 100 else 0


sys.exit(main())
