profkit hotspots --format csv --strip-dirs --match "^(get|__init__)$" "$TESTDATA/example/before.prof"
