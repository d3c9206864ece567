# A run of a store is no file: there is no line with its date.
profkit convert "$TESTDATA/pstats/plain-v4.prof" runs.db
profkit hotspots --like pstats --sort cumulative runs.db
