#!/usr/bin/env python3
"""The same work spread over a pool of four in four ways: good, tiny, tail, chunks."""
import math
import sys
import time
from multiprocessing import Pool


def burn(seconds):
    end = time.process_time() + seconds
    n = 3
    while time.process_time() < end:
        n = math.isqrt(n * n + 7) + 1
    return n


def square(n):
    return n * n


SCENARIOS = {  # function, tasks, chunk size
    "good": (burn, [0.02] * 160, 4),
    "tiny": (square, range(20_000), 1),
    "tail": (burn, [0.02] * 80 + [1.5], 1),
    "chunks": (burn, [0.02] * 108 + [0.06] * 36, 36),
}

if __name__ == "__main__":
    function, tasks, chunk = SCENARIOS[sys.argv[1]]
    with Pool(4) as pool:
        pool.map(function, tasks, chunksize=chunk)
