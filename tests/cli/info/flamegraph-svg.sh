cd "$TESTDATA/flamegraph-svg" || exit
profkit info perl-difference.svg inferno-chart.svg
profkit info inferno-py-spy.svg ampersand.svg
status 2 profkit info --strict ampersand.svg
profkit info bad/empty.svg
