#!/usr/bin/env python3
"""Writes the fixtures of this folder: see SOURCE."""
import struct
import subprocess

STRINGS = ["app.py", "main", "parse", "<frozen runpy>", "_run_code", "~", "<GC>", "gräßlich\0",
           "/usr/lib/python3.15/profiling/sampling/_sync_coordinator.py", "_execute_script", "<native>"]
FRAMES = [(3, 4, 87, 0, 4, 23, 255), (8, 9, 201, 0, 4, 10, 255), (0, 1, 12, 0, 4, 30, 100), (0, 2, 5, 1, 8, 20, 7),
          (0, 2, 6, 0, 8, 20, 255), (5, 6, -1, 0, -1, 0, 255), (0, 7, 300, 0, -1, 0, 255), (5, 10, -1, 0, -1, 0, 255)]
HOLDS, ON, UNKNOWN, WAITS, EXCEPTION, MAIN = 1, 2, 4, 8, 16, 32
REPEAT, FULL, SUFFIX, POP_PUSH = range(4)
TID = 7000


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def zigzag(n):
    return varint((n << 1) ^ (n >> 63) if n < 0 else n << 1)


def record(order, kind, *body, tid=TID, interpreter=0):
    return struct.pack(order + "QIB", tid, interpreter, kind) + b"".join(body)


def samples(order):
    """Two threads, one of them of another interpreter; all kinds of records."""
    m, w = bytes([HOLDS | UNKNOWN | MAIN]), bytes([UNKNOWN | WAITS])
    path = b"".join(map(varint, (2, 1, 0)))  # main, the recorder's, _run_code
    return [
        record(order, REPEAT, varint(1), varint(10), bytes([UNKNOWN]), tid=0),  # no stack
        record(order, FULL, varint(500), m, varint(3), path),
        record(order, REPEAT, varint(4), (varint(1000) + m) * 2, (varint(1200) + bytes([UNKNOWN | MAIN])) * 2),
        record(order, SUFFIX, varint(990), m, varint(3), varint(2), varint(3), varint(4)),
        record(order, FULL, varint(2000), w, varint(2), varint(6), varint(7), tid=TID + 1, interpreter=1),
        record(order, POP_PUSH, varint(1000), m, varint(2), varint(1), varint(5)),
        record(order, POP_PUSH, varint(1000), bytes([HOLDS | ON | EXCEPTION | MAIN]), varint(1), varint(0)),
        record(order, REPEAT, varint(3), (varint(1001) + w) * 3, tid=TID + 1, interpreter=1),
    ]


def tables(order, size_before, statistics=True):
    strings = b"".join(varint(len(s.encode())) + s.encode() for s in STRINGS)
    frames = b"".join(varint(f[0]) + varint(f[1]) + b"".join(map(zigzag, f[2:6])) + bytes([f[6]]) for f in FRAMES)
    tail = strings + frames
    if statistics:
        tail += struct.pack(order + "4d4I", 0.0125, 960.5, 1.5, 2.25, 3, 0, 0, 0)[:40] + b"TACHSTAT" + struct.pack(order + "II", 1, 56)
    footer = struct.pack(order + "IIQ", len(STRINGS), len(FRAMES), size_before + len(tail) + 32) + bytes(16)
    return len(strings), tail + footer


def compress(data):
    return subprocess.run(["zstd", "-q", "-5", "--no-content-size", "--no-check"], input=data, capture_output=True, check=True).stdout


def recording(order="<", wide=True, zstd=False, config=0x49, count=13, body=None, **more):
    data = b"".join(samples(order) if body is None else body)
    data = compress(data) if zstd else data
    strings = 64 + len(data)
    length, tail = tables(order, strings, **more)
    head = struct.pack(order + "IIBBBBQQ", 0x54414348, 1, 3, 15, 2 if wide else 0, 0, 5_000_000, 1000)
    if wide:
        head += struct.pack(order + "QIQQII", count, 3, strings, strings + length, zstd, config)
    else:
        head += struct.pack(order + "IIQQI", count, 3, strings, strings + length, zstd)
    return head.ljust(64, b"\0") + data + tail


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


def main():
    plain = recording()
    end = 64 + len(b"".join(samples("<")))
    damaged = samples("<")
    damaged.insert(5, record("<", 9))
    deep = [record("<", FULL, varint(500), b"\x05", varint(256), varint(3) * 256)]
    write("plain.bin", plain)
    write("big-endian.bin", recording(">", zstd=True, config=0x4A))
    write("old.bin", recording(wide=False, statistics=False))
    write("no-header.bin", bytes(64) + plain[64:])
    write("unclosed.bin", bytes(64) + plain[64:end])
    write("cut.bin", plain[:-105])
    write("damaged.bin", recording(body=damaged))
    write("deep.bin", recording(body=deep, count=1))
    for name, place, byte in (("version", 4, 2), ("compression", 56, 3), ("kind", 76, 4), ("strings", -32, 255), ("offset", 46, 1)):
        bad = bytearray(plain)
        bad[place] = byte
        write(f"bad/{name}.bin", bad)
    write("bad/short.bin", plain[:40])
    for name, body in (("frame", [record("<", FULL, varint(1), b"\x05", varint(1), varint(99))]),
                       ("run", [record("<", REPEAT, varint(1 << 31), b"\x01\x05")]),
                       ("depth", [record("<", FULL, varint(1), b"\x05", varint(257), bytes(257))]),
                       ("shared", [record("<", SUFFIX, varint(1), b"\x05", varint(1), varint(0))])):
        write(f"bad/{name}.bin", recording(body=body))


main()
