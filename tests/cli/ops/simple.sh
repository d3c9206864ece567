# Any trace: its spans.
profkit ops -q "$TESTDATA/chrome/object.json"
