# What mprof peak prints of its files; of others there is nothing to print.
cd "$TESTDATA/mprof"
profkit memory --like mprof-peak children.dat marked.dat
status 2 profkit memory --like mprof-peak ../memray/all.bin
