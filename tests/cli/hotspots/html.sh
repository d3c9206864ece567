profkit hotspots -o table.html -n 3 --match "<" "$TESTDATA/example/before.prof"; cat table.html
