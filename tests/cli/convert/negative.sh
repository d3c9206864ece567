# Values below zero, which a clock that was set back leaves in a pstats file: left out and counted, or
# kept, where the format's own programs do not agree about them.
for format in folded chrome cpuprofile callgrind; do
    profkit convert "$TESTDATA/pstats/negative-times.prof" -o "x.$format" --to $format
done
grep -A3 '^fl=(1)' x.callgrind
status 2 profkit convert "$TESTDATA/pstats/negative-times.prof" -o x.speedscope.json
