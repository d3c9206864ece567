# What is live at a time, and what was allocated between two: records of time are at 0, 10 and 900 ms.
file=$TESTDATA/memray/odd.bin
for moment in at=10ms at=1s between=10ms..1s between=0..10ms between=0.95s..1s; do
    echo "$moment"
    profkit query -q -O "$moment" --format csv "$file" "SELECT sum(self) AS leaked, (SELECT sum(value) FROM sample) AS changes
        FROM cost WHERE metric = 3"
done
status 2 profkit info -O at=1s -O between=1s..2s "$file"
status 2 profkit info -O at=1s "$TESTDATA/memray/sums.bin"
status 2 profkit info -O at=never "$file"
echo after the end
profkit info -O at=100% "$TESTDATA/memray/killed.bin" | grep -c repair
profkit memory -n 1 --by function --at 20ms "$TESTDATA/memray/killed.bin" | head -2
profkit memory -n 1 --by function --between 1us..1s "$TESTDATA/torch-memory/two-devices.pickle" | head -2
status 2 profkit memory --strict --at 1s "$TESTDATA/torch-memory/two-devices.pickle"
status 2 profkit memory --at 50% "$TESTDATA/torch-memory/two-devices.pickle"
