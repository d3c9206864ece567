#!/usr/bin/env python3
"""Memory timelines of torch.profiler (.raw.json.gz): what each category has at every time, at the peak, at the end and in all, as
it is added up here. (The .json that torch writes beside has states between the rows of one time, too.) Skipped where there is no
corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import gzip
import json
import os
import sys

from corpus import corpus, query

NAMES = ["parameter", "optimizer state", "input", "temporary", "activation", "gradient", "autograd detail", "unknown"]
FILES = [f"real/torch/{n}.memory_timeline" for n in ("train_steps", "t22-train_steps", "t241-train_steps", "t291-train_steps")]
FILES.append("peers/HolisticTraceAnalysis/tests/data/memory_analysis/memory_timeline")
failures = []


def check(what, is_, should):
    if is_ != should:
        failures.append(f"{what}: is {str(is_)[:300]}, should be {str(should)[:300]}")


def sums(rows):
    """By time: bytes of each category after all rows of that time."""
    alive, series = [0] * 8, {}
    for time, _, size, category in rows:
        alive[category] += size
        series[time] = list(alive)
    return series


def costs(path, metric):
    return dict(query(path, f"""select (select text from string where id = f.name), sum(self) from cost
        join node n on n.id = cost.node join location l on l.id = n.location join function f on f.id = l.function
        where metric = (select id from metric where name = (select id from string where text = '{metric}')) group by 1"""))


def compare(name, folder):
    path = f"{folder}/{name}.raw.json.gz" if os.path.exists(f"{folder}/{name}.raw.json.gz") else f"{folder}/{name}.raw.gz"
    with gzip.open(path) as file:
        rows = json.load(file)
    series = sums(rows)
    peak = max(series.values(), key=sum)

    def by_name(values):
        return {n: v for n, v in zip(NAMES, values) if v}
    check(f"{name}: peak", costs(path, "peak"), by_name(peak))
    check(f"{name}: alive at the end", costs(path, "leaked"), by_name(list(series.values())[-1]))
    allocated = [sum(r[2] for r in rows if r[1] == 2 and r[3] == i) for i in range(8)]
    check(f"{name}: allocated", costs(path, "allocated"), by_name(allocated))
    start = min(t for t in series if t >= 0)
    now, is_ = [0] * 8, {}
    for time, text, value in query(path, """select time, (select text from string where id = series), value from counter
            order by rowid"""):
        now[NAMES.index(text)] = int(value)
        is_[time + start] = list(now)
    should, last = {}, None
    for time, values in series.items():
        if time >= 0 and values != last:
            should[time] = values
            last = values
    check(f"{name}: over time", is_, should)
    print(f"{name}: {len(rows)} rows, {len(series)} times, peak {sum(peak)}")


def main():
    folder = corpus()
    if not os.path.isdir(folder):
        print("no corpus")
        return 77
    for name in FILES:
        compare(name, folder)
    print("\n".join(failures))
    return bool(failures)


sys.exit(main())
