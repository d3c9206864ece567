# Of a capture of memray 1.4 to 1.6, of sums, and of something else.
profkit memory --like memray-tree "$TESTDATA/memray/old-9.bin"
profkit memory --like memray-tree -n 4 "$TESTDATA/memray/all.bin"
status 2 profkit memory --like memray-tree "$TESTDATA/mprof/appended.dat"
# Deep recursion: calls below 500 branches are left out, which a line says.
{
    head -c -41 "$TESTDATA/memray/old-11.bin"
    for _ in {1..3000}; do printf '\x04\x01\x04\x02\x11\x20\x40\x09'; done
    printf '\x10'
} >deep.bin
profkit memory --like memray-tree -n 0 deep.bin >deep.txt
grep -c '📄' deep.txt
grep -o '└── \[\[deeper.*' deep.txt
