# How much memory torch's allocator holds unused, and why memory ran out; a moment; code in C counts for the line that led to it.
profkit memory -n 2 --by function "$TESTDATA/torch-memory/protocol5.pickle"
profkit memory -n 2 --by function --at 30us "$TESTDATA/torch-memory/two-devices.pickle"
# Live memory ends at the moment, before the peak; what was there before A is not in the curve of --between, nor is its peak.
profkit memory -n 1 --by function --between 15us..55us "$TESTDATA/torch-memory/two-devices.pickle" | sed -n '2p;/over time/,/80.00 us/p'
profkit memory --at 30us -o at.svg "$TESTDATA/torch-memory/two-devices.pickle"
sed -n 's/.*<rect x="\([^"]*\)" width="\([^"]*\)".*<title>\(.*\)(.*): \(.*\)<.title>.*/\1 \2 \3 \4/p' at.svg
grep -o 'class="mark".*peak: [^<]*' at.svg
# A store knows the moment, too.
profkit store -q add -O at=30us moment.db "$TESTDATA/torch-memory/two-devices.pickle"
profkit memory -n 1 --by function moment.db | sed -n '2p;/over time/,/80.00 us/p'
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
