# gmon.out with its program, of 64 bits and of 32 in the other byte order: functions as gprof finds them, ticks between two of them,
# calls in a cycle; another program, one without names, no program.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

python3 - <<'EOF'
import struct


def elf(name, wide, order, functions, code, names_kind=3):
    """A program of no code, with these functions: (name, address, bind, type); its code is from, to. names_kind: the type of
    the section with their names."""
    pack = lambda form, *values: struct.pack(order + form, *values)
    names, symbols = b"\0", [bytes(24 if wide else 16)]
    for function, address, bind, kind in functions:
        symbols.append(pack("IBBHQQ", len(names), bind << 4 | kind, 0, 1, address, 0) if wide
                       else pack("IIIBBH", len(names), address, 0, bind << 4 | kind, 0, 1))
        names += function.encode() + b"\0"
    local = 1 + sum(f[2] == 0 for f in functions)
    sections = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    data, rows = b"", [bytes(64 if wide else 40)]
    for at, kind, flags, address, content, link, info, size in (
            (1, 1, 6, code[0], bytes(code[1] - code[0]), 0, 0, 0), (7, 2, 0, 0, b"".join(symbols), 3, local, len(symbols[0])),
            (15, names_kind, 0, 0, names, 0, 0, 0), (23, 3, 0, 0, sections, 0, 0, 0)):
        rows.append(pack("IIQQQQIIQQ" if wide else "10I", at, kind, flags, address, 0x100 + len(data), len(content), link, info, 1, size))
        data += content
    head = b"\x7fELF" + bytes([1 + wide, 1 + (order == ">"), 1]) + bytes(9)
    head += pack("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH", 2, 62 if wide else 8, 1, code[0], 0, 0x100 + len(data), 0,
                 64 if wide else 52, 0, 0, 64 if wide else 40, 5, 4)
    open(name, "wb").write(head.ljust(0x100, b"\0") + data + b"".join(rows))


def gmon(name, address, order, ticks, calls):
    pack = lambda form, *values: struct.pack(order + form, *values)
    data = b"gmon" + pack("I", 1) + bytes(12)
    for low, high, rate, counts in ticks:
        data += b"\0" + pack(2 * address + "II", low, high, len(counts), rate) + b"seconds".ljust(15, b"\0") + b"s"
        data += pack(f"{len(counts)}H", *counts)
    for call in calls:
        data += b"\1" + pack(2 * address + "I", *call)
    open(name, "wb").write(data)


LOCAL, GLOBAL, WEAK, LABEL, FUNCTION = 0, 1, 2, 0, 2
FUNCTIONS = [("helper.constprop.0", 0x1060, LOCAL, FUNCTION), ("part.cold", 0x1074, LOCAL, FUNCTION), ("same", 0x1020, LOCAL, FUNCTION),
             ("main", 0x1000, GLOBAL, FUNCTION), ("__same", 0x1020, GLOBAL, FUNCTION), ("_same", 0x1020, GLOBAL, FUNCTION),
             ("odd", 0x1040, GLOBAL, FUNCTION), ("even", 0x1050, WEAK, FUNCTION), ("end", 0x1080, GLOBAL, LABEL)]
TICKS = [0] * 32
TICKS[1], TICKS[7], TICKS[9], TICKS[16], TICKS[21], TICKS[24], TICKS[29] = 4, 5, 31, 2, 1, 7, 3
CALLS = [(0x1008, 0x1024, 3), (0x100c, 0x1044, 2), (0x1048, 0x1054, 5), (0x1054, 0x1044, 4), (0x1058, 0x1064, 10), (0x1068, 0x1064, 90),
         (0x1004, 0x1024, 1), (0x9000, 0x1004, 1)]
elf("program", True, "<", FUNCTIONS, (0x1000, 0x1084))
gmon("gmon.out", "Q", "<", [(0x1000, 0x1086, 100, TICKS + [0])], CALLS)
elf("program-32", False, ">", FUNCTIONS, (0x1000, 0x1084))
gmon("gmon-32.out", "I", ">", [(0x1000, 0x1020, 1024, TICKS[:8]), (0x1020, 0x1084, 1024, TICKS[7:])], CALLS)
elf("moved", True, "<", [(name, address + (address > 0x1000) * 0x400, *rest) for name, address, *rest in FUNCTIONS], (0x1000, 0x1484))
copies = {"part.cold": "other.constprop.0"}  # gprof takes a copy if the name after it is one that it takes
elf("copies", True, "<", [(copies.get(name, name), *rest) for name, *rest in FUNCTIONS], (0x1000, 0x1084))
elf("elsewhere", True, "<", [("main", 0x401000, GLOBAL, FUNCTION)], (0x401000, 0x401100))
elf("stripped", True, "<", [], (0x1000, 0x1084))
elf("no-bytes", True, "<", FUNCTIONS, (0x1000, 0x1084), 8)  # SHT_NOBITS: as long as it says, but not in the file
EOF
if [[ $(profkit info -O binary=program gmon.out 2>&1) == *"without elfutils"* ]]; then
    echo "profkit was built without elfutils"
    exit 77
fi
profkit hotspots -O binary=program gmon.out
profkit callers -O binary=program gmon.out
profkit hotspots -O binary=program -O functions=all gmon.out
profkit hotspots --like gprof -O binary=program gmon.out
profkit hotspots --like gprof -O binary=program-32 gmon-32.out
profkit hotspots --like gprof -O binary=copies gmon.out
profkit hotspots --like gprof gmon.out
status 2 profkit hotspots -O binary=moved gmon.out
status 2 profkit hotspots -O binary=elsewhere gmon.out
status 2 profkit hotspots -O binary=stripped gmon.out
status 2 profkit hotspots -O binary=no-bytes gmon.out
status 2 profkit hotspots -O binary=missing gmon.out
status 2 profkit hotspots -O binary=program-32 gmon.out
status 2 profkit hotspots --like gprof --sort total -O binary=program gmon.out
status 2 profkit hotspots --like gprof --format csv -O binary=program gmon.out
