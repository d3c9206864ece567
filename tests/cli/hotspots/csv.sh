profkit hotspots --format csv --match "^parse$" --sort total,name "$TESTDATA/example/before.prof"
