#!/usr/bin/env python3
"""Makes the fixtures of this folder but node.cpuprofile, which `node --cpu-prof` records of work.js."""
import json

ROOT = ("(root)", "", -1, -1)


def node(number, call, **more):
    name, url, line, column = call
    return {"id": number, "callFrame": {"functionName": name, "scriptId": "7", "url": url, "lineNumber": line,
                                        "columnNumber": column}, **more}


def write(name, data, **options):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(data, file, separators=(",", ":"), **options)
        file.write("\n")


def parents():
    """Parents instead of children, large ids, samples before nodes, a line for each sample, a sample
    that is late, reasons for which code was not optimised."""
    return {"samples": [4000000000, 5, 70000, 5, 1, 9], "timeDeltas": [1000, 500, 700, -400, 900, 300],
            "lines": [12, 13, 0, 14, 0, 0], "title": "page \u201ca\u201d", "startTime": 5000000, "endTime": 5004000,
            "nodes": [node(5, ("run", "https://example.org/a.js", 10, 4), parent=4000000000, deoptReason="wrong map"),
                      node(4000000000, ("", "https://example.org/a.js", 0, 0), parent=1),
                      node(1, ROOT), node(9, ("(idle)", "", -1, -1), parent=1),
                      node(70000, ("na\u00efve \"x\"", "https://example.org/b.js", 2, 0), parent=5,
                           deoptReason="no reason")]}


def hits():
    """Without samples: time is divided by hits, 100 us among 7."""
    return {"nodes": [node(1, ROOT, hitCount=0, children=[2, 3]),
                      node(2, ("f", "a.js", 0, 0), hitCount=3, children=[4],
                           positionTicks=[{"line": 2, "ticks": 1}, {"line": 3, "ticks": 1}]),
                      node(3, ("(program)", "", -1, -1), hitCount=2),
                      node(4, ("g", "a.js", 8, 0), hitCount=2, positionTicks=[{"line": 9, "ticks": 2}])],
            "startTime": 1000, "endTime": 1100}


def head():
    """As written before Chrome 58: nodes within each other, seconds, absolute times."""
    def old(number, name, line, hits, *children, **more):
        return {"functionName": name, "url": "a.js" if line else "", "lineNumber": line, "callUID": number,
                "bailoutReason": "", **more, "id": number, "scriptId": 3, "hitCount": hits, "children": list(children)}

    tree = old(1, "(root)", 0, 0,
               old(2, "", 1, 0, old(3, "f", 4, 2, old(4, "g", 9, 1), bailoutReason="Optimized too many times")),
               old(5, "(garbage collector)", 0, 1))
    return {"head": tree, "startTime": 12, "endTime": 12, "samples": [3, 4, 5, 3],
            "timestamps": [12000100, 12000200, 12000350, 12000400, 12000500]}


def odd():
    """What is mended: ids twice, two parents, a cycle, children and samples of nodes that are not there,
    a node without an id, one without a callFrame, more times than samples."""
    return {"nodes": [node(1, ROOT, children=[2, 3, 99]),
                      node(2, ("a", "a.js", 0, 0), hitCount=1, children=[4]),
                      node(3, ("b", "a.js", 5, 0), hitCount=2, children=[4]),
                      node(4, ("c", "a.js", 9, 3), hitCount=1),
                      node(4, ("d", "a.js", 12, 3), hitCount=1),
                      {"id": 5, "hitCount": 1, "parent": 77},
                      node("x", ("e", "a.js", 20, 0)),
                      node(6, ("f", "", -1, -1), children=[7]),
                      node(7, ("g", "", -1, -1), children=[6]),
                      node(8, ("c", "a.js", 9, 40), parent=1), 17],
            "startTime": 0, "endTime": 900, "samples": [2, 3, 3, 4, 55, 5, 7, 8],
            "timeDeltas": [100, 100, 100, "x", 100, 100, 100, 100, 100, 100]}


write("parents.cpuprofile", parents())
write("hits.cpuprofile", hits())
write("head.cpuprofile", head())
write("odd.cpuprofile", odd())
write("bad/empty.cpuprofile", {"nodes": [], "startTime": 0, "endTime": 1, "samples": [], "timeDeltas": []})
