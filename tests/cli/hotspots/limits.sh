# Shares of the rows, and rows by their share of the total.
profkit hotspots -n 1% --sort file --reverse "$TESTDATA/example/before.prof"
profkit hotspots --min-share 20% "$TESTDATA/example/before.prof"
