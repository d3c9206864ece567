#!/usr/bin/env python3
"""Could another test than that of `profkit check` find more benchmarks that are 5 % slower?

    bench_power.py FOLDER

FOLDER has results of pytest-benchmark with their values. Each benchmark gives pairs of 30 and 30 of its own values: of one side after the
other, or of both sides in turn, by tens or one by one. Tests compare a statistic of the logarithms of both sides, and say "slower" if it
differs by more than 2 % (the limit of `check`) beyond a critical value. They know more than a test of two files can: the critical
value of each pair comes from all exchanges of these very values (1 of 20 is above it), multiplied by the factor with which just
1 of 100 pairs of equal values fails, whichever these are. There is no correction for several benchmarks. Printed is the share of pairs that
are found if the values after are multiplied by 1.05."""
import glob
import json
import math
import random
import sys

SIDE, DRAWS, ALPHA, ALARMS = 30, 300, 0.05, 0.01
LIMIT, CHANGE = math.log(1.02), math.log(1.05)
MOST = 6  # pairs of one benchmark


def mean_of(begin, end):
    return lambda ordered: sum(ordered[begin:end]) / (end - begin)


STATISTICS = {
    "mean": mean_of(0, 30), "mean of the middle 24": mean_of(3, 27), "mean of the middle half": mean_of(7, 23),
    "median": mean_of(14, 16), "lower quartile": mean_of(7, 8), "lowest tenth": mean_of(3, 4), "mean of the lowest 10": mean_of(0, 10),
    "mean of the lowest 5": mean_of(0, 5), "least": mean_of(0, 1), "upper quartile": mean_of(22, 23),
}


def pairs(folder):
    """60 values each, as logarithms."""
    seen = set()
    for path in sorted(glob.glob(folder + "/**/*.json", recursive=True)):
        with open(path) as file:
            result = json.load(file)
        for benchmark in result.get("benchmarks", []) if isinstance(result, dict) else []:
            values = benchmark["stats"].get("data", [])
            if tuple(values) in seen or len(values) < 2 * SIDE or min(values) <= 0:
                continue
            seen.add(tuple(values))
            for begin in range(0, min(len(values) - 2 * SIDE + 1, MOST * 2 * SIDE), 2 * SIDE):
                yield [math.log(value) for value in values[begin:begin + 2 * SIDE]]


def differences(before, after):
    before, after = sorted(before), sorted(after)
    return {name: of(after) - of(before) for name, of in STATISTICS.items()}


def critical(values, chance):
    """By statistic: what its difference exceeds in ALPHA of the exchanges."""
    drawn = {name: [] for name in STATISTICS}
    values = values[:]
    for _ in range(DRAWS):
        chance.shuffle(values)
        for name, difference in differences(values[:SIDE], values[SIDE:]).items():
            drawn[name].append(abs(difference))
    return {name: max(sorted(of)[int((1 - ALPHA) * DRAWS)], 1e-6) for name, of in drawn.items()}


def found(rows, name):
    """The share of slower pairs found, with the factor of just ALARMS alarms."""
    exceed = sorted(((abs(difference[name]) - LIMIT) / limit[name] for difference, limit in rows), reverse=True)
    factor = max(exceed[int(ALARMS * len(rows))], 0)
    return sum(difference[name] + CHANGE - factor * limit[name] > LIMIT for difference, limit in rows) / len(rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    chance = random.Random(1)
    known = [(values, critical(values, chance)) for values in pairs(sys.argv[1])]
    if not known:
        sys.exit(f"{sys.argv[1]}: no results of pytest-benchmark with 60 values")
    ways = {"one side after the other": SIDE, "in turn, by tens": 10, "one by one": 1}
    print(f"{len(known)} pairs; {', '.join(ways)}")
    for name in STATISTICS:
        shares = []
        for block in ways.values():
            rows = []
            for values, limit in known:
                sides = [[v for i, v in enumerate(values) if i // block % 2 == side] for side in (0, 1)]
                rows.append((differences(*sides), limit))
            shares.append(found(rows, name))
        print(f"{name:25}" + "".join(f"  {share:.2f}" for share in shares))


main()
