# A box with a width below zero.
cd "$TESTDATA/flamegraph-svg/bad"
status 2 profkit info negative.svg
