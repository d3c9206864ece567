#!/usr/bin/env python3
"""contend.py SCENARIO [threads]: a pool of four of concurrent.futures that loses most of its time.

lock    every task holds one lock while it works
starve  the producer takes four times as long to make a task as a worker to do it
chunks  48 tasks in 4 chunks, the long ones together
"""
import multiprocessing
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

LOCK = None


def set_lock(lock):
    global LOCK
    LOCK = lock


def burn(seconds):
    end = time.thread_time() + seconds
    n = 3
    while time.thread_time() < end:
        for _ in range(500):
            n = (n * n + 7) % 1_000_003
    return n


def locked(seconds):
    with LOCK:
        return burn(seconds)


def make(seconds):
    burn(4 * seconds)
    return seconds


def main(scenario, threads=False):
    if threads:
        pool = ThreadPoolExecutor(4, initializer=set_lock, initargs=(threading.Lock(),))
    else:
        pool = ProcessPoolExecutor(4, initializer=set_lock, initargs=(multiprocessing.Lock(),))
    with pool:
        if scenario == "lock":
            list(pool.map(locked, [0.02] * 60))
        elif scenario == "starve":
            for future in [pool.submit(burn, make(0.01)) for _ in range(40)]:
                future.result()
        elif scenario == "chunks":
            list(pool.map(burn, [0.01] * 36 + [0.1] * 12, chunksize=12))


if __name__ == "__main__":
    main(sys.argv[1], len(sys.argv) > 2)
