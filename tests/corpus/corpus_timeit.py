#!/usr/bin/env python3
"""Every text of timeit in the corpus: what it prints as the best time, and all raw times of -v.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import re
import sys

from corpus import compare_files, corpus, query

UNITS = {"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1}


def values(path, metric):
    return query(path, "select value.value, iterations from value join metric m on m.id = metric "
                 f"where m.name = (select id from string where text = '{metric}')")


def compare(path):
    text = path.read_text()
    loops, best, unit = re.search(r"(\d+) loops?, best of \d+: (\S+) (\w+) per loop", text).groups()
    want = [(float(best) * UNITS[unit], int(loops))]
    raw = re.search(r"raw times: (.*)", text)
    times = [(float(t.split()[0]) * UNITS[t.split()[1]] / int(loops), int(loops)) for t in raw[1].split(", ")] if raw else []
    for rows, got in ((want, values(path, "best")), (times, values(path, "time"))):
        assert len(rows) == len(got), (rows, got)
        for (value, count), (other, iterations) in zip(rows, got):
            assert abs(value - other) <= 1e-9 * value and count == iterations, (value, other, count, iterations)
    return len(want) + len(times)


def main():
    files = [path for path in sorted(corpus().glob("real/timeit/*.timeit.txt")) if path.stat().st_size]
    return compare_files(files, compare, "times", 20)


if __name__ == "__main__":
    sys.exit(main())
