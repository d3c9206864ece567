# All that a file says that knows every allocation; a moment of it; the picture.
profkit memory -n 3 "$TESTDATA/memray/all.bin"
profkit memory -n 3 --by function --at 0.01 "$TESTDATA/memray/all.bin"
profkit memory -n 2 --format csv "$TESTDATA/memray/all.bin"
profkit memory -o m.svg "$TESTDATA/memray/all.bin"
grep -o 'class="lane"[^/]*' m.svg
grep -o '<line class="mark".*' m.svg
grep -o "<rect[^>]*><title>main [^<]*" m.svg
profkit memory -o c.svg "$TESTDATA/mprof/children.dat"
grep -o 'class="lane"[^/]*' c.svg
status 2 profkit memory -o none.svg "$TESTDATA/tracemalloc/protocol5.pickle"
