"""Protocol buffers, field by field, for the scripts that write fixtures."""
import struct


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def text(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def fixed(field, n):
    return varint(field << 3 | 1) + (struct.pack("<d", n) if isinstance(n, float) else struct.pack("<Q", n))


def packed(field, values):
    return text(field, b"".join(map(varint, values)))
