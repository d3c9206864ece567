# Spans, and samples that know their times, without the script.
profkit timeline --no-javascript "$TESTDATA/speedscope/evented.speedscope.json" | grep -v '^[.@]'
profkit timeline --no-javascript --width 600 --depth 1 "$TESTDATA/speedscope/sampled.speedscope.json" |
    grep '<g>\|class="foot"'
profkit timeline --title 'A & B' "$TESTDATA/speedscope/evented.speedscope.json" -o t.svg
if command -v xmllint >/dev/null; then xmllint --noout t.svg; fi
grep -c CDATA t.svg
