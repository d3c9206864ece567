# How much memory torch's allocator holds unused, and why memory ran out; a moment; code in C counts for the line that led to it.
profkit memory -n 2 --by function "$TESTDATA/torch-memory/protocol5.pickle"
profkit memory -n 2 --by function --at 30us "$TESTDATA/torch-memory/two-devices.pickle"
profkit memory -o m.svg "$TESTDATA/torch-memory/protocol5.pickle"
grep -o '<text id="title"[^<]*' m.svg
grep 'live memory' m.svg
grep -o '<rect x="[^"]*" [^>]*><title>.*(.*): [^<]*' m.svg
profkit memory -n 2 --by line -m peak "$TESTDATA/memray/native.bin"
profkit memory --by function "$TESTDATA/torch-memory/of-a-profile.pickle" | grep -A 2 'by category'
profkit memory --format csv "$TESTDATA/torch-memory/of-a-profile.pickle" | grep category
echo == pinned memory of the host
profkit memory -q -n 1 --by function -m peak "$TESTDATA/torch-memory/pinned.pickle" | sed -n '3,4p'
profkit hotspots -q -m peak --process pinned --format csv "$TESTDATA/torch-memory/pinned.pickle"
