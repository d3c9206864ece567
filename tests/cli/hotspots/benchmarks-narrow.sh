# On a narrow terminal, columns are left out.
in_terminal 60 hotspots "$TESTDATA/pytest-benchmark/values.json"
