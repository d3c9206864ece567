#!/usr/bin/env python3
"""Recordings of rocprofv3 as JSON: every kernel has the name, device, stream and times that the file says. Skipped where there is no corpus."""
import collections
import gzip
import json
import sys

from corpus import look_at_corpus, query

SPANS = """SELECT f.name AS name, p.name AS process, t.name AS thread, s.time, s.duration FROM span s JOIN node n ON n.id = s.node
  JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function JOIN thread t ON t.id = s.thread
  JOIN process p ON p.id = t.process"""


def kernels(root):
    """Times and where they were, as the file says."""
    for process in root["rocprofiler-sdk-tool"]:
        names = {symbol["kernel_id"]: symbol["formatted_kernel_name"] for symbol in process["kernel_symbols"]}
        devices = {agent["id"]["handle"]: agent["logical_node_type_id"] for agent in process["agents"]}
        for record in process["buffer_records"]["kernel_dispatch"]:
            info = record["dispatch_info"]
            start, end = record["start_timestamp"], record["end_timestamp"]
            yield (names[info["kernel_id"]], f"GPU {devices[info['agent_id']['handle']]}", f"stream {record['stream_id']['handle']}",
                   start, end - start)


def look(root):
    wrong, count = [], 0
    for path in sorted(root.glob("**/rocprof/*_results.json.gz")):
        with gzip.open(path) as file:
            want = collections.Counter(kernels(json.load(file)))
        offset = query(path, "SELECT clock_offset FROM run")[0][0]
        text = dict(query(path, "SELECT id, text FROM string"))
        got = collections.Counter((text[name], text[process], text[thread].removesuffix(" (overlapping)"), time + offset, duration)
                                  for name, process, thread, time, duration in query(path, SPANS))
        count += sum(want.values())
        if want != got:
            wrong.append(f"{path.name}: {len(want - got)} kernels are not there or differ, as {list(want - got)[:3]}, {list(got - want)[:3]}")
    print(f"{count} kernels compared")
    return wrong, count


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
