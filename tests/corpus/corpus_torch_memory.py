#!/usr/bin/env python3
"""Every snapshot of torch's memory in the corpus.

FILE.expected.json, made by a program that shares nothing with profkit: for each device the peak, by
function and by category, what is live at the end, what was live before the history began, reserved
memory over time, blocks at the end by state. Also at every moment: the counter is the sum of the
changes of all call paths. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside
the source folder).
"""
import json
import sys

from corpus import compare_files, corpus, query

EARLIER = "[allocated before the history]"


def metric(name, process):
    return (f"metric = (select id from metric where name = (select id from string where text = '{name}')) "
            f"and thread in (select id from thread where process = {process})")


def total(path, name, process):
    return query(path, f"select coalesce(sum(self), 0) from cost where {metric(name, process)}")[0][0]


def by_top_frame(path, name, process):
    """By the innermost function of a Python file."""
    rows = query(path, f"""with recursive up(cost, self, node, depth) as (
        select rowid, self, node, 0 from cost where {metric(name, process)}
        union all select cost, self, parent, depth + 1 from up join node on id = node where parent > 0)
        select cost, self, depth, (select text from string where id = f.file),
        (select text from string where id = f.name), l.line
        from up join node n on n.id = up.node join location l on l.id = n.location
        join function f on f.id = l.function order by cost, depth""")
    found, names = {}, {}
    for cost, self, _, file, name, line in rows:
        before = names.get(cost)
        if before and before[0] != "<none>":
            continue
        frame = f"{file}:{line}:{name}" if (file or "").endswith(".py") else "<none>"
        names[cost] = ("<freed, not seen allocated>" if name == EARLIER else frame, self)
    for frame, self in names.values():
        found[frame] = found.get(frame, 0) + self
    return found


def by_category(path, process, peak):
    rows = query(path, f"""select coalesce((select text from string where id = l.text), 'unknown'), sum(self)
        from cost left join label_set l on l.id = cost.labels where cost.{metric(peak, process)} group by 1""")
    return dict(rows)


def curve(path, series, process):
    return [value for value, in query(path, f"""select value from counter where process = {process} and series =
        (select id from string where text = '{series}') order by time, rowid""")]


def free_blocks(path, process):
    rows = query(path, f"""select value from argument where owner = 'instant' and key = 'free' and row in (select rowid & 4294967295 from instant
        where name = (select id from string where text = 'segment')
        and thread in (select id from thread where process = {process}))""")
    return sum((json.loads(row[0]) for row in rows), [])


def check_device(path, process, want, peak):
    """A snapshot without a history has no metric of the peak: it is what is live."""
    assert bool(query(path, "select 1 from metric where name = (select id from string where text = 'peak')")) == (
        peak == "peak")
    for name, key in ((peak, "peak_bytes"), ("leaked", "end_bytes_by_trace")):
        assert total(path, name, process) == want[key], (name, total(path, name, process), want[key])
    if list(want["peak_by_top_frame"]) != ["<none>"]:
        got = by_top_frame(path, peak, process)
        assert got == want["peak_by_top_frame"], (got, want["peak_by_top_frame"])
    assert by_category(path, process, peak) == want["peak_by_category"], by_category(path, process, peak)
    reserved, active = (curve(path, series, process) for series in ("reserved", "active"))
    assert reserved[0] == want["reserved_start"] and reserved[-1] == want["reserved_end"], reserved
    assert max(reserved) == want["reserved_peak"], max(reserved)
    assert active[0] == want["initial_bytes"] and max(active) == want["peak_bytes"], active
    assert active[-1] == want["end_bytes_by_trace"], active[-1]
    allocated = sum(max(0, b - a) for a, b in zip(active, active[1:]))
    assert total(path, "allocated", process) == allocated, (total(path, "allocated", process), allocated)
    blocks = free_blocks(path, process)
    assert len(blocks) == want["blocks_by_state"].get("inactive", 0)
    assert sum(blocks) == want["block_bytes_by_state"].get("inactive", 0)
    out_of_memory = query(path, "select count(*) from instant where name in "
                          "(select id from string where text = 'out of memory')")[0][0]
    assert out_of_memory == len(want["oom"]), out_of_memory


def compare(path):
    want = json.loads(path.with_suffix(".expected.json").read_text())
    peak = "peak" if any(device["events"] for device in want["devices"].values()) else "leaked"
    for number, device in want["devices"].items():
        process = query(path, f"""select id from process where name =
            (select id from string where text = 'device {number}')""")
        if not process:
            assert not device["events"] and not device["segments"], number
            continue
        check_device(path, process[0][0], device, peak)
    return len(want["devices"])


def main():
    files = sorted(path for path in corpus().glob("*/torch-memory/*.pickle")
                   if path.with_suffix(".expected.json").exists())
    return compare_files(files, compare, "devices", 10)


if __name__ == "__main__":
    sys.exit(main())
