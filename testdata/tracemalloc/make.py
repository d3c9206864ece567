#!/usr/bin/env python3
"""Writes the fixtures of this folder: make.py FOLDER. The blocks are made up; objects and pickles are
those of Python's tracemalloc."""
import io
import os
import pickle
import sys
import tracemalloc

folder = sys.argv[1]
os.makedirs(folder + "/bad", exist_ok=True)

MAIN = (("/app/main.py", 40),)
FILL = (("/app/cache.py", 12), ("/app/cache.py", 17), ("/app/main.py", 31))
RECURSION = (("/app/cache.py", 22),) + (("/app/cache.py", 23),) * 3 + MAIN
ODD = (("<frozen importlib._bootstrap>", 1150), ("<gen, with space>", 1), ("<unknown>", 0))
BLOCKS = [(0, 128, FILL, 3), (0, 4096, FILL, 3), (0, 49, RECURSION, 5), (0, 0, MAIN, 1), (0, 64, ODD, 7),
          (389047, 1 << 33, MAIN, 1), (0, 70000, MAIN, None)]


def write(name, data):
    with open(f"{folder}/{name}.pickle", "wb") as f:
        f.write(data)


def snapshot(blocks, limit=5):
    return tracemalloc.Snapshot(blocks, limit)


for protocol in (0, 1, 2, 4, 5):
    write(f"protocol{protocol}", pickle.dumps(snapshot(BLOCKS), protocol))
write("python38", pickle.dumps(snapshot([block[:3] for block in BLOCKS]), 5))
write("python34", pickle.dumps(snapshot([block[1:3] for block in BLOCKS]), 4))
write("empty", pickle.dumps(snapshot([]), 4))
write("twice", pickle.dumps(snapshot(BLOCKS[:2]), 5) * 2)

text = io.BytesIO(pickle.dumps(snapshot(BLOCKS[:1]), 4)).getvalue()
write("bad/other-class", text.replace(b"Snapshot", b"snapshot"))
write("bad/system", b"ctracemalloc\nSnapshot\ncos\nsystem\n(S'id'\ntR.")
write("bad/negative-size", pickle.dumps(snapshot([(0, -1, MAIN, 1)]), 4))
write("bad/negative-line", pickle.dumps(snapshot([(0, 1, (("a.py", -2),), 1)]), 4))
write("bad/no-blocks", pickle.dumps(snapshot([(0, 1, "a.py")]), 4))
write("bad/not-a-list", pickle.dumps(snapshot({"a": 1}), 4))
write("bad/traces-alone", pickle.dumps(snapshot(BLOCKS).traces, 4) + b"Snapshot")
recursive = snapshot([])
recursive.traces._traces.append(recursive.traces._traces)
write("bad/contains-itself", pickle.dumps(recursive, 4))
