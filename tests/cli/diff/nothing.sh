# Sides without any cost, values that are no numbers, negative ones.
printf 'a;b 0\n' >nothing.folded
printf 'a;b 3\n' >some.folded
profkit diff nothing.folded some.folded
profkit diff --view tree some.folded nothing.folded
profkit diff -q "$TESTDATA/pstats/not-finite.prof" "$TESTDATA/pstats/not-finite.prof"
profkit diff -q "$TESTDATA/pstats/negative-times.prof" "$TESTDATA/pstats/negative-times.prof"
