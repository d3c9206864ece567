# Crafted exports of Nsight Systems: a long name of a domain is not repeated in each of its ranges
profkit info "$TESTDATA/nsys/bad/long-domain.sqlite"
status 2 profkit info --strict "$TESTDATA/nsys/bad/long-domain.sqlite"
profkit hotspots -q -n 4 "$TESTDATA/nsys/bad/long-domain.sqlite" | cut -c1-100
