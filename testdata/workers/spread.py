#!/usr/bin/env python3
"""spread.py SCENARIO [TASKS]: work for a pool of four, spread in four ways."""
import math
import sys
import time
from multiprocessing import Pool


def burn(seconds):
    end = time.process_time() + seconds
    n = 3
    while time.process_time() < end:
        for _ in range(2000):
            n = (n * n + 7) % 1_000_003
    return n


def small(n):
    return math.factorial(n)


SCENARIOS = {  # function, its argument for each task, chunk size
    "good": (burn, [0.04] * 160, 4),
    "tiny": (small, [300] * 80_000, 1),
    "tail": (burn, [0.02] * 80 + [1.5], 1),
    "chunks": (burn, [0.02] * 108 + [0.06] * 36, 36),
}

if __name__ == "__main__":
    function, tasks, chunk = SCENARIOS[sys.argv[1]]
    if len(sys.argv) > 2:
        tasks = tasks[:int(sys.argv[2])]
    pool = Pool(4)
    pool.map(function, tasks, chunksize=chunk)
    pool.close()
    pool.join()
