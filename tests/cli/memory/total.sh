# Metrics without a word of their own: their total, as hotspots says it, of the first one of bytes.
profkit memory -n 1 "$TESTDATA/speedscope/units.speedscope.json"
profkit memory -n 1 "$TESTDATA/profkit-baseline/runs.baseline"
# Several files are named one by one.
cp "$TESTDATA/profkit-baseline/runs.baseline" b.baseline
profkit memory -n 1 "$TESTDATA/profkit-baseline/runs.baseline" b.baseline | head -1
