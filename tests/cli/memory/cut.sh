# What is there of captures that are cut off: within a text, within a code object, at the end of compressed data.
cut() { # FILE BYTES
    head -c "$2" "$TESTDATA/memray/$1" >cut.bin
    profkit memory -n 1 --by function cut.bin | sed -n 1p
}
cut odd.bin 170
cut odd.bin 190
cut lz4.bin 3000
status 2 cut lz4.bin 2000
status 2 profkit memory --strict cut.bin
