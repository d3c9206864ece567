# -O binary: functions by the symbols of the program; files that are not programs, a compressed one, another program, no maps.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

# A program of no code, with the functions main and work.
python3 - server <<'EOF'
import struct
import sys

names, sections = b"\0main\0work\0", b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", name, 0x12, 0, 1, address, 0x20) for name, address in ((1, 0x1100), (6, 0x1120)))
parts, table = b"", [bytes(64)]
for name, kind, flags, address, bits, link, size in ((1, 1, 6, 0x1100, bytes(0x40), 0, 0), (7, 2, 0, 0, symbols, 3, 24),
                                                     (15, 3, 0, 0, names, 0, 0), (23, 3, 0, 0, sections, 0, 0)):
    table.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, address, 0x100 + len(parts), len(bits), link, link // 3, 1, size))
    parts += bits
head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1100, 64, 0x100 + len(parts), 0, 64, 56, 1, 64, 5, 4)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x1000, 0x1000, 0x140, 0x140, 0x1000)
open(sys.argv[1], "wb").write((head + segment).ljust(0x100, b"\0") + parts + b"".join(table))
EOF

cat >rows <<'EOF'
heap profile: 3: 30 [3: 30] @ heapprofile
2: 20 [2: 20] @ 0x5125 0x5110
1: 10 [1: 10] @ 0x5150 0x5110
EOF
cat rows - >alloc.heap <<'EOF'
MAPPED_LIBRARIES:
5000-6000 r-xp 00000000 00:00 1 /srv/example/server
EOF
cat rows - >other.heap <<'EOF'
MAPPED_LIBRARIES:
5000-6000: /srv/example/server (@0) 0123abcd
EOF
if [[ $(profkit info -O binary=server alloc.heap 2>&1) == *"without elfutils"* ]]; then
    echo "profkit was built without elfutils"
    exit 77
fi
profkit hotspots --sort total -O binary=server alloc.heap
status 2 profkit hotspots -O binary=rows alloc.heap
gzip <server >server.gz
status 2 profkit hotspots -O binary=server.gz alloc.heap
status 2 profkit hotspots -O binary=missing alloc.heap
status 2 profkit hotspots -O binary=server other.heap
status 2 profkit hotspots -O binary=server rows
