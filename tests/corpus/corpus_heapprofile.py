#!/usr/bin/env python3
"""Every .heapprofile of the corpus: the bytes of each call path, and the samples that are in the tree.

The files are read here once more, and compared with profkit's tables.
"""
import collections
import json
import sys

from corpus import compare_files, corpus, query
from corpus_cpuprofile import ROOT, frame_of, paths_of


def compare(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    sizes, samples, path_of = collections.Counter(), collections.Counter(), {}
    todo = [(data["head"], ())]
    while todo:
        node, above = todo.pop()
        path = above + ((frame_of(node),) if node["callFrame"]["functionName"] != ROOT else ())
        sizes[path] += node["selfSize"]
        path_of[node.get("id")] = path
        todo += [(child, path) for child in node["children"]]
    for sample in data.get("samples", ()):
        if sample["nodeId"] in path_of:
            samples[path_of[sample["nodeId"]]] += sample["size"]

    known, _ = paths_of(file)
    actual, sampled = collections.Counter(), collections.Counter()
    for node, value in query(file, "SELECT node, self FROM cost"):
        actual[known[node]] += value
    for node, value in query(file, "SELECT node, value FROM sample"):
        sampled[known[node]] += value
    assert +actual == +sizes, "sizes"
    assert sampled == samples, "samples"
    return len(+sizes) + len(samples)


def main():
    root = corpus()
    files = sorted(root.rglob("*.heapprofile")) if root.is_dir() else []
    return compare_files(files, compare, "sums of call paths", 100)


if __name__ == "__main__":
    sys.exit(main())
