# Samples beside spans are not written, which is said; samples alone are.
profkit convert "$TESTDATA/chrome/samples.json" --to chrome -o beside.json
profkit convert "$TESTDATA/speedscope/sampled.speedscope.json" --to chrome -o alone.json
