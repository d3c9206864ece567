"""Reads Parquet as profkit writes it (flat columns, zstd, plain or dictionary), by the specification of the format alone:
every count and length that the file states is compared with what is there."""
import ctypes
import ctypes.util
import struct

INT32, INT64, DOUBLE, BYTES = 1, 2, 5, 6
UTF8, UINT_8, UINT_32, UINT_64 = 0, 11, 13, 14
PLAIN, RLE, DICTIONARY = 0, 3, 8
ZSTD = 6


class Thrift:
    """The compact protocol: structs become {field: value}."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            number = self.varint()
            return number >> 1 ^ -(number & 1)
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size:self.at]
        if kind == 9:
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, f"type {kind}"
        return self.struct()

    def struct(self):
        found, field = {}, 0
        while head := self.byte():
            assert head >> 4, "a field further than 15"
            field += head >> 4
            found[field] = self.value(head & 15)
        return found


def library():
    """libzstd, None if it is not here."""
    name = ctypes.util.find_library("zstd")
    if not name:
        return None
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return zstd


def unpack(zstd, data, size):
    room = ctypes.create_string_buffer(size + 1)
    assert zstd.ZSTD_decompress(room, size, data, len(data)) == size, "the size of a page is wrong"
    return room.raw[:size]


def packed_numbers(data, bits, count):
    """Runs of equal numbers, and numbers of so many bits in groups of 8; all of `data`."""
    found, reader = [], Thrift(data)
    while len(found) < count:
        head = reader.varint()
        if head & 1:
            size = (head >> 1) * bits
            word = int.from_bytes(data[reader.at:reader.at + size], "little")
            found += [word >> i * bits & (1 << bits) - 1 for i in range((head >> 1) * 8)]
        else:
            size = (bits + 7) // 8
            found += [int.from_bytes(data[reader.at:reader.at + size], "little")] * (head >> 1)
        reader.at += size
    assert reader.at == len(data), "bytes after the numbers of a page"
    return found[:count]


def plain(data, kind, count):
    if kind != BYTES:
        return list(struct.unpack("<%d%s" % (count, {INT32: "i", INT64: "q", DOUBLE: "d"}[kind]), data))
    found, at = [], 0
    for _ in range(count):
        size, = struct.unpack_from("<I", data, at)
        found.append(data[at + 4:at + 4 + size])
        at += 4 + size
    assert at == len(data), "bytes after the texts of a page"
    return found


def from_bound(data, kind):
    return data if kind == BYTES else struct.unpack({INT32: "<i", INT64: "<q", DOUBLE: "<d"}[kind], data)[0]


def as_written(value, kind, converted):
    """What a value of the file stands for."""
    if value is None:
        return None
    if kind == BYTES:
        return value.decode()
    return value % 2**32 if converted in (UINT_8, UINT_32) else value % 2**64 if converted == UINT_64 else value


def read_pages(data, meta, optional, zstd):
    """The values of a column chunk, None where there are none."""
    kind, at, entries = meta[1], meta.get(11, meta[9]), None
    first, unpacked = at, 0
    while at < first + meta[7]:
        header = Thrift(data, at)
        page = header.struct()
        raw = unpack(zstd, data[header.at:header.at + page[3]], page[2])
        unpacked += header.at - at + page[2]
        at = header.at + page[3]
        if page[1] == 2:
            assert entries is None and page[7][2] == PLAIN
            entries = plain(raw, kind, page[7][1])
            assert at == meta[9], "the place of the data page"
            continue
        count, encoding, levels = page[5][1], page[5][2], [1] * page[5][1]
        assert page[5][3] == page[5][4] == RLE
        if optional:
            size, = struct.unpack_from("<I", raw)
            levels, raw = packed_numbers(raw[4:4 + size], 1, count), raw[4 + size:]
        present = sum(levels)
        if encoding == DICTIONARY:
            values = [entries[i] for i in packed_numbers(raw[1:], raw[0], present)] if present else []
        else:
            assert encoding == PLAIN
            values = plain(raw, kind, present)
        assert encoding in meta[2] and RLE in meta[2], "encodings"
        values = iter(values)
        result = [next(values) if level else None for level in levels]
    assert unpacked == meta[6], f"unpacked {unpacked}, the file says {meta[6]}"
    return result, at


def check_statistics(said, values, kind, converted):
    known = [as_written(v, kind, converted) for v in values if v is not None]
    assert said[3] == len(values) - len(known), "number of nulls"
    if 5 not in said:
        return
    order = (lambda text: text.encode()) if kind == BYTES else None
    bounds = [as_written(from_bound(said[field], kind), kind, converted) for field in (6, 5)]
    wanted = [min(known, key=order), max(known, key=order)]
    if kind == DOUBLE:  # zeros are equal: the least has a sign, the largest none
        wanted = [wanted[0] or -0.0, wanted[1] or 0.0]
    assert repr(bounds) == repr(wanted), f"bounds {bounds}, not {wanted}"


def read(path, zstd):
    """The names of the columns and the rows."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == data[-4:] == b"PAR1"
    size, = struct.unpack("<I", data[-8:-4])
    footer = Thrift(data, len(data) - 8 - size)
    said = footer.struct()
    assert footer.at == len(data) - 8, "the length of the footer"
    schema, rows, at = said[2], [], 4
    assert said[1] == 1 and schema[0][5] == len(schema) - 1
    for group in said[4]:
        columns, start = [], at
        for field, chunk in zip(schema[1:], group[1]):
            meta = chunk[3]
            assert chunk[2] == at and meta[1] == field[1] and meta[3] == [field[4]] and meta[4] == ZSTD
            values, at = read_pages(data, meta, field[3], zstd)
            assert len(values) == meta[5] == group[3], "rows of a column"
            check_statistics(meta[12], values, field[1], field.get(6))
            columns.append([as_written(v, field[1], field.get(6)) for v in values])
        assert len(columns) == len(schema) - 1 and at > start
        assert group[2] == sum(chunk[3][6] for chunk in group[1]), "bytes of a group"
        rows += zip(*columns)
    assert at == len(data) - 8 - size, "bytes between groups and footer"
    assert said[3] == len(rows), "rows of the file"
    assert len(said[7]) == len(schema) - 1, "orders of columns"
    return [field[4].decode() for field in schema[1:]], rows
