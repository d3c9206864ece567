# Functions and lines; one list of a metric that only this format has; a recording without memory.
profkit memory -q -n 3 "$TESTDATA/scalene/shapes.json"
profkit memory -q -n 3 -m line_peak "$TESTDATA/scalene/shapes.json"
status 2 profkit memory "$TESTDATA/scalene/recorded.json"
