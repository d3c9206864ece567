#!/usr/bin/env python3
"""Every .cpuprofile of the corpus: the same samples, call paths and times.

The files are read here once more, and compared with what profkit's tables hold: the time and the number of samples of each
call path, and the time at each line of a function as positionTicks divide it. Where the corpus has numbers of samples that
another program counted (FILE.expected-totals.tsv), those are compared, too.
"""
import collections
import json
import sys

from corpus import compare_files, corpus, query

ROOT = "(root)"


def frame_of(node):
    """As profkit names it: lines from 1, functions that differ by their column alone are one."""
    call = node.get("callFrame", node)
    name, url = call["functionName"] or "(anonymous)", call["url"]
    return name, url, call["lineNumber"] + 1 if url and call["lineNumber"] >= 0 else 0


def flatten(data):
    """Nodes by id, each with its path."""
    nodes, paths = {}, {}
    if "head" in data:
        todo = [(data["head"], ())]
        while todo:
            node, above = todo.pop()
            nodes[node["id"]] = node
            paths[node["id"]] = above = above + ((frame_of(node),) if node["functionName"] != ROOT else ())
            todo += [(child, above) for child in node["children"]]
        return nodes, paths
    nodes = {node["id"]: node for node in data["nodes"]}
    parent = {child: node["id"] for node in data["nodes"] for child in node.get("children", ())}
    for number, node in nodes.items():
        chain = []
        while number:
            chain.append(number)
            number = parent.get(number)
        names = [frame_of(nodes[i]) for i in reversed(chain)]
        paths[node["id"]] = tuple(frame for frame in names if frame[0] != ROOT)
    return nodes, paths


def intervals(data):
    """(node, ns) of each sample, in the order of time."""
    if "timestamps" in data:
        times, end = list(data["timestamps"]), data["endTime"] * 10**6
    else:
        now, times, end = data["startTime"], [], data["endTime"]
        for delta in data["timeDeltas"]:
            now += delta
            times.append(now)
    taken = sorted(zip(times, data["samples"]), key=lambda item: item[0])
    ends = [time for time, _ in taken[1:]] + [times[-1] if len(times) > len(taken) else max(end, taken[-1][0])]
    return [(node, (after - time) * 1000) for (time, node), after in zip(taken, ends)]


def paths_of(file):
    text = "coalesce((SELECT text FROM string WHERE id = {}), '')"
    function = {row[0]: tuple(row[1:]) for row in query(
        file, f"SELECT l.id, {text.format('f.name')}, {text.format('f.file')}, coalesce(f.line, 0), coalesce(l.line, 0) "
              "FROM location l JOIN function f ON f.id = l.function")}
    paths, lines = {None: (), 0: ()}, {}
    for node, parent, location in query(file, "SELECT id, parent, location FROM node ORDER BY 1"):
        paths[node] = paths[parent] + (function[location][:3],)
        lines[node] = function[location][3]
    return paths, lines


def compare_totals(file, counts):
    """With the numbers of samples that totals.py of the corpus printed; it has columns."""
    listed = file.with_name(file.name + ".expected-totals.tsv")
    if not listed.exists():
        return 0
    own, total = collections.Counter(), collections.Counter()
    for path, count in counts.items():
        own[path[-1]] += count
        for frame in set(path):
            total[frame] += count
    expected_own, expected_total, several = collections.Counter(), collections.Counter(), collections.Counter()
    for line in listed.read_text(encoding="utf-8").splitlines()[1:]:
        own_count, total_count, label = line.split("\t")
        name, place = label.rsplit(" ", 1)
        url, number, _ = place.rsplit(":", 2)
        if name == ROOT:
            continue
        frame = name, url, int(number) if url else 0
        expected_own[frame] += int(own_count)
        expected_total[frame] += int(total_count)
        several[frame] += 1
    assert own == +expected_own, (own - expected_own, expected_own - own)
    for frame, count in total.items():  # nested ones that were joined count once
        assert expected_total[frame] == count or several[frame] > 1, (frame, count)
    return len(expected_total)


def compare(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    nodes, paths = flatten(data)
    times, counts, by_line = collections.Counter(), collections.Counter(), collections.Counter()
    of_node = collections.Counter()
    for node, value in intervals(data):
        times[paths[node]] += value
        counts[paths[node]] += 1
        of_node[node] += value
    for node, value in of_node.items():
        ticks = nodes[node].get("positionTicks") or []
        hits = max(nodes[node]["hitCount"], sum(tick["ticks"] for tick in ticks))
        for tick in ticks if paths[node] and paths[node][-1][1] else ():
            by_line[paths[node], tick["line"]] += value * tick["ticks"] / hits

    known, line_of = paths_of(file)
    actual, lines, samples = collections.Counter(), collections.Counter(), collections.Counter()
    for node, value in query(file, "SELECT node, self FROM cost"):
        actual[known[node]] += value
        if line_of[node]:
            lines[known[node], line_of[node]] += value
    for node, count in query(file, "SELECT node, count(*) FROM sample GROUP BY 1"):
        samples[known[node]] += count
    assert +actual == +times, "times"
    assert samples == counts, "samples"
    assert lines.keys() == {key for key, value in by_line.items() if value >= 1}, "lines"
    for key, value in lines.items():  # whole ns, of several nodes
        assert abs(value - by_line[key]) <= len(nodes), (key, value, by_line[key])
    return len(times) + len(lines) + compare_totals(file, counts)


def main():
    root = corpus()
    files = sorted(root.rglob("*.cpuprofile")) if root.is_dir() else []
    return compare_files(files, compare, "call paths, lines and totals", 2000)


if __name__ == "__main__":
    sys.exit(main())
