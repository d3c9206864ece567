# What memray 1.20 summary prints of this file, byte for byte, in a terminal of 160 columns and of 80.
COLUMNS=160 profkit memory --like memray-summary -n 7 "$TESTDATA/memray/all.bin"
COLUMNS=80 profkit memory --like memray-summary -n 6 "$TESTDATA/memray/all.bin"
status 2 profkit memory --like memray-summary "$TESTDATA/mprof/appended.dat"
