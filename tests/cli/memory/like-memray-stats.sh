# What memray 1.20 stats prints of this file, byte for byte; other files are no captures of all allocations.
profkit memory --like memray-stats "$TESTDATA/memray/all.bin"
profkit memory --like memray-stats -n 1 "$TESTDATA/memray/old-9.bin" | tail -n 6
status 2 profkit memory --like memray-stats "$TESTDATA/memray/sums.bin"
status 2 profkit memory --like memray-stats --format csv "$TESTDATA/memray/all.bin"
# Modules of a child process are looked for in the frames above it, which are left out elsewhere, but not for other threads.
profkit memory --like memray-stats "$TESTDATA/memray/child.bin" | tail -n 8
