profkit hotspots --format markdown -n 3 --sort calls "$TESTDATA/example/before.prof"
