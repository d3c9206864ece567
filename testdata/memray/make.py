#!/usr/bin/env python3
"""Makes the captures that a current memray does not write, record by record."""
import pathlib
import struct

MALLOC, FREE, MMAP, MUNMAP = 6, 5, 14, 15
OLD = {MALLOC: 1, FREE: 2, MMAP: 10, MUNMAP: 11}


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def signed(n):
    return varint(n << 1 if n >= 0 else (-n << 1) - 1)


def text(s):
    return s.encode() + b"\0"


class Capture:
    def __init__(self, version, python=0x030C00F0, sums=False, skipped=0, end=1700000001000, start=1700000000000, pid=77):
        self.version, self.last, self.frames = version, {}, {}
        self.data = b"memray\0" + struct.pack("<I", version)
        self.data += struct.pack("<I", python) if version >= 12 else b""
        self.data += b"\0" + (bytes([sums]) if version >= 10 else b"")
        self.data += struct.pack("<QQqq", 9, 9, start, end) + text("memray run app.py") + struct.pack("<iQQB", pid, 1, skipped, 1)
        self.data += (b"\0" if version >= 11 else b"") + (b"\0" if version >= 12 else b"")
        self.data += text("/usr/lib/python3") + text("/usr/lib/site") + b"\0" + b"\0" if version >= 13 else b""

    def delta(self, name, value):
        old = self.last.get(name, 0)
        self.last[name] = value
        return signed(value - old)

    def add(self, *parts):
        self.data += b"".join(bytes([p]) if isinstance(p, int) else p for p in parts)
        return self

    def thread(self, number, name=None):
        self.add(12, struct.pack("<Q", number))
        return self.add(10, text(name)) if name else self

    def code(self, number, name, file, line, table):
        return self.add(14, varint(number), text(name), text(file), self.delta("first", line), varint(len(table)), table)

    def push(self, number, offset=0):
        if self.version >= 12:
            return self.add(0x41, varint(number), signed(offset))
        return self.add(4, self.delta("frame", number))

    def frame(self, number, name, file, line):
        return self.add(3, self.delta("frame", number), text(name), text(file), self.delta("line", line))

    def pop(self, count=1):
        return self.add(0x10 + count - 1) if self.version >= 12 else self.add(9 | (count - 1) << 4)

    def allocate(self, allocator, address, size=0):
        size = b"" if allocator == FREE else varint(size)
        if self.version < 12:
            return self.add(1 | OLD[allocator] << 4, self.delta("address", address), size)
        wide = allocator if allocator > 7 else b""
        return self.add(0x80 | 15 << 3 | (0 if wide else allocator), self.delta("address", address >> 3), wide, size)

    def memory(self, rss, ms):
        return self.add(2 if self.version >= 12 else 11, varint(rss), varint(ms))

    def end(self):
        return self.add(1 if self.version >= 12 else 0x10)


def write(name, capture, more=b""):
    path = pathlib.Path(__file__).parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((capture.data if isinstance(capture, Capture) else capture) + more)


def program(capture):
    """main calls work, which keeps a block of two; a second thread maps memory."""
    capture.memory(1000000, 0).thread(1)
    if capture.version >= 12:
        capture.code(1, "main", "app.py", 10, LINES).code(2, "work", "app.py", 20, LINES)
        capture.push(1, OFFSET).push(2)
    else:
        capture.frame(5, "main", "app.py", 11).frame(6, "work", "app.py", 20)
        capture.push(5).push(6)
    capture.allocate(MALLOC, 0x1000, 64).allocate(MALLOC, 0x2000, 100).allocate(FREE, 0x2000)
    capture.thread(2, "worker").allocate(MMAP, 0x100000, 8192).memory(1100000, 10)
    return capture.thread(1).pop().allocate(MALLOC, 0x3000, 5).allocate(FREE, 0x3000)


# Python 3.11 and later: code 10 (the same line) of one unit, then code 11 (the next) of 8 units.
LINES, OFFSET = bytes([0x80 | 10 << 3, 0, 0, 0x80 | 11 << 3 | 7, 0, 0]), 2
write("old-9.bin", program(Capture(9)).end())
write("old-11.bin", program(Capture(11, skipped=1)).end(), bytes(40))
write("entries.bin", program(Capture(12)).end())
LINES, OFFSET = bytes([2, 0, 8, 1]), 1
write("pairs.bin", program(Capture(12, python=0x030A00F0)).end())
LINES, OFFSET = bytes([2, 1]), 2
write("lnotab.bin", program(Capture(12, python=0x030900F0)).end())
killed = program(Capture(13, end=0)).allocate(MALLOC, 0x4000, 300).data
write("killed.bin", killed[:-1], bytes(100))  # the second byte of the size was never written
odd = program(Capture(13))
odd.allocate(FREE, 0x7770).allocate(MALLOC, 0x1000, 40).pop(9)  # freed before; live already; more than there are
odd.allocate(MMAP, 0x101000, 8192).allocate(MUNMAP, 0x100000, 0x2000).allocate(MUNMAP, 0x900000, 4096)
odd.allocate(MMAP, 0x200000, 40960).allocate(MUNMAP, 0x202000, 8192)
odd.allocate(MALLOC, 0x5000, 3 << 31).allocate(FREE, 0x5000).allocate(MALLOC, 0x6000, 5 << 31).push(77)
odd.allocate(MALLOC, 0x7000).memory(2000000, 900)
write("odd.bin", odd.end())
# A child process, whose frames are below those of memray and of the program, which are left out.
child = Capture(13, skipped=3).thread(1)
for number, (name, file) in enumerate([("run", "/usr/lib/site/memray/commands/run.py"), ("main", "/srv/app.py"),
                                       ("start", "/usr/lib/python3/multiprocessing/process.py"),
                                       ("_launch", "/usr/lib/python3/multiprocessing/popen_fork.py"),
                                       ("work", "/srv/job.py"), ("_bootstrap", "/usr/lib/python3/threading.py")], 1):
    child.code(number, name, file, 10, b"")
child.push(1).push(2).push(3).push(4).allocate(MALLOC, 0x1000, 64).push(5).allocate(MALLOC, 0x2000, 100)
child.thread(2, "worker").push(6).allocate(MALLOC, 0x3000, 8192)
write("child.bin", child.end())
sums = Capture(11, sums=True, skipped=1)
sums.add(1, struct.pack("<QQQ", 1700000000010, 5000, 300)).add(4, struct.pack("<Q", 0), text("main"), text("app.py"), struct.pack("<i", 3), 1)
sums.add(4, struct.pack("<Q", 1), text("work"), text("app.py"), struct.pack("<i", 7), 1)
sums.add(3, struct.pack("<QI", 0, 0)).add(3, struct.pack("<QI", 1, 1))
for row in [(1, 1, 0, 2, 0, 3, 1, 300, 100), (2, 10, 0, 2, 0, 1, 0, 4096, 0), (1, 3, 0, 1, 0, 1, 1, 5, 5)]:
    sums.add(2, struct.pack("<QB7xQQQQQQQ", *row))
write("sums-11.bin", sums.thread(2, "worker").add(15))
write("bad/version.bin", Capture(8))
write("bad/future.bin", Capture(14))
write("bad/header.bin", Capture(13).data[:90])
write("bad/32-bit.bin", Capture(12, start=-5))
write("bad/no-thread.bin", Capture(13).allocate(MALLOC, 0x1000, 3).end())
write("bad/record.bin", Capture(13).thread(1).add(3))
write("bad/allocator.bin", Capture(13).thread(1).allocate(200, 0x1000, 3))
write("bad/zero.bin", Capture(13).thread(1).add(0, 0, 5))
write("bad/varint.bin", Capture(13).thread(1).add(0x80 | 15 << 3 | MALLOC, b"\xff" * 11, 1, 1))
write("bad/size.bin", Capture(13).thread(1).allocate(MALLOC, 0x1000, 1 << 60).end())
write("bad/frame.bin", Capture(11).thread(1).push(4).end())
write("bad/code-twice.bin", Capture(13).code(1, "f", "a.py", 1, b"").code(1, "g", "a.py", 2, b"").end())
write("bad/stack.bin", Capture(12, sums=True).add(3, varint(0), varint(7)))
