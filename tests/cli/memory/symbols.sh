# Names of native frames of memray: of a library that is there, by -O binary, changed since, not wanted.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

# A library of no code, with the functions reserve and grow, and _fini, which has no size but ends with
# its section; and a capture of two allocations in it.
python3 - <<'EOF'
import os
import struct

names, sections = b"\0reserve\0grow\0_fini\0", b"\0.text\0.dynsym\0.dynstr\0.shstrtab\0.fini\0"
symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", name, 0x12, 0, section, address, size) for name, section, address, size
                               in ((1, 1, 0x1100, 0x20), (9, 1, 0x1120, 0x20), (14, 5, 0x1140, 0)))
parts, table = b"", [bytes(64)]
for name, kind, flags, address, bits, link, size in ((1, 1, 6, 0x1100, bytes(0x60), 0, 0), (7, 11, 2, 0, symbols, 3, 24),
                                                     (15, 3, 2, 0, names, 0, 0), (23, 3, 0, 0, sections, 0, 0),
                                                     (33, 1, 6, 0x1140, bytes(0x10), 0, 0)):
    table.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, address, 0x100 + len(parts), len(bits), link, link // 3, 1, size))
    parts += bits
head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1100, 64, 0x100 + len(parts), 0, 64, 56, 1, 64, 6, 4)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x1000, 0x1000, 0x160, 0x160, 0x1000)
open("libgrow.so", "wb").write((head + segment).ljust(0x100, b"\0") + parts + b"".join(table))


def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def signed(n):
    return varint(n << 1 if n >= 0 else (-n << 1) - 1)


def capture(path, library, size):
    start = 1700000000000
    data = b"memray\0" + struct.pack("<IIBBQQqq", 13, 0x030C00F0, 1, 0, 2, 1, start, start + 1000) + b"run\0"
    data += struct.pack("<iQQB", 7, 1, 0, 1) + bytes(2) + b"lib\0\0\0"
    data += b"\x0c" + struct.pack("<Q", 1) + b"\x0e\1main\0app.py\0" + signed(10) + varint(0)
    data += b"\x06\x07" + library + b"\0\1" + struct.pack("<Q", 0x10000) + b"\x08" + struct.pack("<Q", 0x1000) + varint(size)
    # Frame 1 returns to the end of reserve, frame 2, called by it, to the end of grow; frame 3 has no name.
    data += b"\5" + signed(0x11120) + signed(0) + b"\5" + signed(0x20) + signed(1) + b"\5" + signed(0x18) + signed(-1)
    data += b"\x41\1\0\xfe" + signed(0x200) + signed(2) + varint(100) + b"\xfe" + signed(2) + signed(1) + varint(60)
    open(path, "wb").write(data + b"\1")


here = os.getcwd().encode()
capture("here.bin", here + b"/libgrow.so", 0x160)
capture("other.bin", here + b"/libgrow.so", 0x170)
capture("elsewhere.bin", b"/nowhere/libgrow.so", 0x160)
EOF

export PROFKIT_SANDBOX=no # the library is in a folder that may not be read otherwise
touch -d 2023-01-01 libgrow.so
if [[ $(profkit info -O binary=libgrow.so here.bin 2>&1) == *"without elfutils"* ]]; then
    echo "profkit was built without elfutils"
    exit 77
fi
profkit tree -m peak here.bin
profkit info here.bin | grep native | sed "s,$PWD,HERE,"
profkit hotspots here.bin -O symbols=no
profkit hotspots other.bin
profkit hotspots elsewhere.bin
profkit hotspots -O binary=libgrow.so elsewhere.bin
status 2 profkit hotspots -O binary=missing.so here.bin
status 2 profkit hotspots -O binary=here.bin here.bin
touch libgrow.so # after the recording
profkit hotspots here.bin
profkit info here.bin | grep native | sed "s,$PWD,HERE,"
# LeakSanitizer cannot look at a process in a sandbox
ASAN_OPTIONS=detect_leaks=0 PROFKIT_SANDBOX=yes profkit hotspots -O binary=libgrow.so here.bin
