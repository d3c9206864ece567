#!/usr/bin/env python3
"""Writes recordings of Python 3.15's sampler, for measurements: the same bytes for the same arguments.

    gen_tachyon.py SAMPLES REPEATS FILE

A sample takes up to four frames off the stack of the one before and puts as many on it, and is followed by REPEATS - 1 samples of
the same stack, as of a program that waits. 20,000 frames of 2,000 functions; stacks of up to 33 frames.
"""
import random
import struct
import sys

FRAMES, FUNCTIONS, FILES, TID = 20000, 2000, 100, 7000
REPEAT, FULL, POP_PUSH = 0, 1, 3
STATUS = bytes([1 | 4 | 32])  # holds the lock, main thread


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def callee(frame, which):
    return (frame * 31 + 7 * which + 1) % FRAMES


def records(count, repeats):
    randbelow, number = random.Random(1).randrange, [varint(i) for i in range(FRAMES)]
    head = {kind: struct.pack("<QIB", TID, 0, kind) for kind in (REPEAT, FULL, POP_PUSH)}
    after = varint(1000) + STATUS
    again = head[REPEAT] + varint(repeats - 1) + after * (repeats - 1) if repeats > 1 else b""
    stack = [0]
    yield head[FULL] + after + b"\1\0" + again
    for _ in range(count // repeats - 1):
        pop = min(randbelow(5), len(stack) - 1)
        del stack[len(stack) - pop:]
        push = 1 + randbelow(4) if len(stack) < 30 else 0
        for _ in range(push):
            stack.append(callee(stack[-1], 0 if randbelow(16) else 1 + randbelow(3)))
        yield head[POP_PUSH] + after + bytes([pop, push]) + b"".join(number[f] for f in reversed(stack[len(stack) - push:])) + again


def main():
    count, repeats, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    strings = [f"/srv/app/module_{i}.py" for i in range(FILES)] + [f"function_{i}" for i in range(FUNCTIONS)]
    table = b"".join(varint(len(s)) + s.encode() for s in strings)
    frames = b"".join(varint(i % FILES) + varint(FILES + i % FUNCTIONS) + varint(2 * (i % 900 + 1)) + b"\0\x08\x28\xff" for i in range(FRAMES))
    with open(path, "wb") as f:
        f.write(bytes(64))
        for record in records(count, repeats):
            f.write(record)
        at = f.tell()
        f.write(table + frames + struct.pack("<IIQ", len(strings), FRAMES, at + len(table) + len(frames) + 32) + bytes(16))
        f.seek(0)
        f.write((struct.pack("<IIBBBBQQ", 0x54414348, 1, 3, 15, 2, 0, 5_000_000, 1000) +
                 struct.pack("<QIQQII", count // repeats * repeats, 1, at, at + len(table), 0, 0x49)).ljust(64, b"\0"))


main()
