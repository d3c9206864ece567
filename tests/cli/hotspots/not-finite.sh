# Times that are no numbers: not known, never 0; infinity is the largest, as in python.
profkit hotspots "$TESTDATA/pstats/not-finite.prof"
profkit hotspots --format csv "$TESTDATA/pstats/not-finite.prof"
profkit callers step "$TESTDATA/pstats/not-finite.prof"
profkit hotspots --like pstats --sort cumulative "$TESTDATA/pstats/not-finite.prof" | tail -n +3
