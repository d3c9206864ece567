# Exports of Nsight Systems: a long name of a domain is not repeated in each of its ranges
profkit info "$TESTDATA/nsys/bad/long-domain.sqlite"
status 2 profkit info --strict "$TESTDATA/nsys/bad/long-domain.sqlite"
cd "$TESTDATA/nsys/bad"
profkit hotspots -q -n 4 long-domain.sqlite | cut -c1-100
echo == processes and devices with one number are not one process
profkit query --format csv "$TESTDATA/nsys/one-number.sqlite" "SELECT p.id, p.pid, s.text, t.tid, t.role FROM process p
    JOIN string s ON s.id = p.name JOIN thread t ON t.process = p.id ORDER BY p.id"
