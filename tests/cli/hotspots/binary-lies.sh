# Programs (-O binary) whose tables lie: of sections, symbols and names that are not there, or beyond the end; cut off.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
python3 - <<'EOF'
import struct

SYMBOLS, NAMES = 0x140, 0x140 + 72  # of the file


def server(path, link=3, symbols=72, offset=SYMBOLS, name=1, address=0x1100, size=0x40, entry=24, end=None, count=5, table=None):
    names, sections = b"\0main\0work\0", b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    bits = bytes(0x40) + bytes(24) + b"".join(struct.pack("<IBBHQQ", n, 0x12, 0, 1, a, size) for n, a in ((name, address), (6, 0x1120)))
    bits += names + sections
    rows = ((0,) * 10, (1, 1, 6, 0x1100, 0x100, 0x40, 0, 0, 1, 0), (7, 2, 0, 0, offset, symbols, link, 1, 8, entry),
            (15, 3, 0, 0, NAMES, len(names), 0, 0, 1, 0), (23, 3, 0, 0, NAMES + len(names), len(sections), 0, 0, 1, 0))
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1100, 64, table or 0x100 + len(bits), 0, 64, 56, 1, 64,
                                                      count, 4)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x1000, 0x1000, 0x140, 0x140, 0x1000)
    data = (head + segment).ljust(0x100, b"\0") + bits + b"".join(struct.pack("<IIQQQQIIQQ", *row) for row in rows)
    open(path, "wb").write(data[:end])


server("honest")
server("link", link=77)
server("link-itself", link=2)
server("symbols-beyond", symbols=1 << 40)
server("offset-beyond", offset=(1 << 64) - 8)
server("name-beyond", name=0xfffffff0)
server("address-wraps", address=(1 << 64) - 16, size=0x100)
server("size-huge", size=(1 << 64) - 1)
server("entry-zero", entry=0)
server("entry-huge", entry=1 << 60)
server("sections-many", count=65279)
server("table-beyond", table=1 << 50)
server("cut-symbols", end=0x150)
server("cut-head", end=40)
EOF
cat >alloc.heap <<'EOF'
heap profile: 3: 30 [3: 30] @ heapprofile
2: 20 [2: 20] @ 0x5125 0x5110
1: 10 [1: 10] @ 0x5150 0x5110
MAPPED_LIBRARIES:
5000-6000 r-xp 00000000 00:00 1 /srv/example/server
EOF
if [[ $(profkit info -O binary=honest alloc.heap 2>&1) == *"without elfutils"* ]]; then
	echo "profkit was built without elfutils"
	exit 77
fi
profkit hotspots -q --format csv -O binary=honest alloc.heap | cut -d, -f 1,8
# The names that are found may depend on the version of elfutils; what was allocated does not.
for file in link link-itself symbols-beyond offset-beyond name-beyond address-wraps size-huge entry-zero entry-huge \
	    sections-many table-beyond cut-symbols; do
	profkit hotspots -q --format csv -O "binary=$file" alloc.heap >rows || echo "$file: status $?"
	awk -F, -v file="$file" '{ self += $8 } END { if (self != 30) print file ": " self }' rows
done
status 2 profkit hotspots -O binary=cut-head alloc.heap
