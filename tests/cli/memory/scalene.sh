# Functions and lines; one list of a metric that only this format has.
profkit memory -n 3 "$TESTDATA/scalene/recorded.json"
profkit memory -n 3 -m line_peak "$TESTDATA/scalene/recorded.json"
