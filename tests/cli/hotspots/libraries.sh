# Functions of libraries that a profile maps: unchanged ones, changed ones, of unknown age, by build id, not wanted.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

# Libraries of no code, with work and its alias __work, malloc and one without a name; with a build id or not.
python3 - <<'EOF'
import struct

NAMES, SECTIONS = b"\0work\0__work\0malloc@@V_1.2\0", b"\0.text\0.symtab\0.strtab\0.shstrtab\0.note.gnu.build-id\0"


def library(path, build_id):
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", name, bind << 4 | 2, 0, 1, address, 0x20)
                                   for name, bind, address in ((6, 0, 0x1100), (1, 1, 0x1100), (13, 1, 0x1120)))
    note = struct.pack("<III", 4, len(build_id), 3) + b"GNU\0" + build_id
    parts, table = b"", [bytes(64)]
    for name, kind, flags, address, bits, link, size in ((1, 1, 6, 0x1100, bytes(0x60), 0, 0), (7, 2, 0, 0, symbols, 3, 24),
                                                         (15, 3, 0, 0, NAMES, 0, 0), (23, 3, 0, 0, SECTIONS, 0, 0),
                                                         (33, 7, 2, 0x1160, note if build_id else b"", 0, 0)):
        table.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, address, 0x100 + len(parts), len(bits), link, link // 3, 4, size))
        parts += bits
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1100, 64, 0x100 + len(parts), 0, 64, 56, 1, 64, 6, 4)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x1000, 0x1000, 0x160, 0x160, 0x1000)
    open(path, "wb").write((head + segment).ljust(0x100, b"\0") + parts + b"".join(table))


library("libwork.so", b"")
library("libid.so", bytes.fromhex("0123abcd"))
EOF
profile() {
    printf '%s\n' 'heap profile: 6: 60 [6: 60] @ heapprofile' '3: 30 [3: 30] @ 0x5130 0x5110 0x5150' '2: 20 [2: 20] @ 0x5110 0x5150' \
        '1: 10 [1: 10] @ 0x5150' MAPPED_LIBRARIES: "$2" >"$1"
}
export PROFKIT_SANDBOX=no # the libraries are in a folder that may not be read otherwise
profile alloc.heap "5000-6000 r-xp 00000000 00:00 1 $PWD/libwork.so"
if [[ $(profkit info -O binary=libwork.so alloc.heap 2>&1) == *"without elfutils"* ]]; then
    echo "profkit was built without elfutils"
    exit 77
fi
touch -d 2023-01-01 libwork.so libid.so
native() { profkit info "$@" | grep -e native | sed "s,$PWD,HERE,"; }

profkit hotspots --sort total alloc.heap
native alloc.heap
# In a sandbox with Landlock it is not read; without Landlock it is.
PROFKIT_SANDBOX=auto native alloc.heap | sed 's/assumed from/not read without -O binary/; s/  */ /g'
profkit hotspots --sort total -O all-frames alloc.heap
profkit hotspots -O symbols=no alloc.heap
profkit hotspots - <alloc.heap
native - <alloc.heap
profile large.heap "5000-7000 r-xp 00000000 00:00 1 $PWD/libwork.so"
profkit hotspots large.heap
native large.heap
profkit hotspots -q -O binary=libwork.so large.heap # said, and done
profkit info -O binary=libwork.so large.heap 2>&1 | sed "s,$PWD,HERE," | grep HERE
touch -d 2020-01-01 alloc.heap
native alloc.heap
profkit hotspots --sort total -O binary=libwork.so alloc.heap

# The build id says more than the age.
profile id.heap "5000-6000: $PWD/libid.so (@0) 0123abcd"
touch -d 2020-01-01 id.heap
native id.heap
profile other.heap "5000-6000: $PWD/libid.so (@0) 4567"
native other.heap
status 2 profkit hotspots -O binary=libid.so other.heap 2>&1 | sed "s,$PWD,HERE,"

# pprof: locations without lines
profkit convert -q -O symbols=no id.heap id.pb
profkit hotspots -O symbols=no id.pb
profkit hotspots --sort total id.pb
native id.pb
profkit convert -q -O symbols=no large.heap large.pb
profkit hotspots -q --sort total -O binary=libwork.so large.pb
status 2 profkit hotspots -O binary=libid.so "$TESTDATA/pprof/cpu.pb.gz"
