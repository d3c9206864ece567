#!/usr/bin/env python3
"""Makes the fixtures of this folder that record.sh does not make."""
import os
import struct

os.chdir(os.path.dirname(os.path.abspath(__file__)))


class Gmon:
    def __init__(self, address="Q", order="<"):
        self.address, self.order = address, order
        self.bytes = b"gmon" + self.pack("I", 1) + bytes(12)

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def ticks(self, low, high, counts, rate=100, unit=b"seconds"):
        self.bytes += b"\0" + self.pack(2 * self.address + "II", low, high, len(counts), rate) + unit.ljust(15, b"\0") + b"s"
        self.bytes += self.pack(f"{len(counts)}H", *counts)
        return self

    def call(self, caller, callee, calls):
        self.bytes += b"\1" + self.pack(2 * self.address + "I", caller, callee, calls)
        return self

    def blocks(self, *pairs):
        self.bytes += b"\2" + self.pack("I", len(pairs)) + b"".join(self.pack(2 * self.address, *pair) for pair in pairs)
        return self


FILES = {
    # 32 bits, the bytes of the other machines.
    "big-32.gmon": Gmon("I", ">").ticks(0x10000, 0x10020, [0, 3, 0, 1]).call(0x10004, 0x10018, 7),
    # Two parts of the code, counts of basic blocks, 1024 ticks in a second.
    "parts.gmon": Gmon().ticks(0x1000, 0x1010, [512, 0], 1024).ticks(0x3000, 0x3008, [1, 255], 1024)
    .blocks((0x1000, 5), (0x1008, 6)).call(0x1004, 0x3002, 70000),
    # Calls alone; no rate; 65535, which may be more; the end of the file within a record.
    "calls.gmon": Gmon("I").call(0x1004, 0x1020, 3).call(0x1004, 0x1020, 4).call(0x1024, 0x1020, 5),
    "no-rate.gmon": Gmon("I").ticks(0x1000, 0x1008, [65535, 1], 0),
    "cut.gmon": Gmon().ticks(0x1000, 0x1010, [1, 2]).call(0x1004, 0x1020, 3),
    # Twice the same code.
    "twice.gmon": Gmon().ticks(0x1000, 0x1008, [65535, 1]).ticks(0x1000, 0x1008, [2, 3]),
    "bad/overlap.gmon": Gmon().ticks(0x1000, 0x1010, [1, 2]).ticks(0x1008, 0x1020, [1, 2]),
    "bad/unit.gmon": Gmon().ticks(0x1000, 0x1010, [1, 2], unit=b"cycles"),
    "bad/order.gmon": Gmon().ticks(0x2000, 0x1000, [1, 2]),
    "bad/rates.gmon": Gmon().ticks(0x1000, 0x1010, [1], 100).ticks(0x2000, 0x2010, [1], 250),
    "bad/kind.gmon": Gmon().call(0x1004, 0x1020, 3),
    "bad/empty.gmon": Gmon().blocks((0x1000, 5)),
}
os.makedirs("bad", exist_ok=True)
FILES["cut.gmon"].bytes = FILES["cut.gmon"].bytes[:-6]
FILES["bad/kind.gmon"].bytes += b"\7\0\0\0"
for name, file in FILES.items():
    with open(name, "wb") as out:
        out.write(file.bytes)
