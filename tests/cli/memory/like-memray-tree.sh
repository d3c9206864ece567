# Of a capture of memray 1.4 to 1.6, of sums, and of something else.
profkit memory --like memray-tree "$TESTDATA/memray/old-9.bin"
profkit memory --like memray-tree -n 4 "$TESTDATA/memray/all.bin"
status 2 profkit memory --like memray-tree "$TESTDATA/mprof/appended.dat"
