# Benchmarks are not functions, and their means have no total.
profkit info "$TESTDATA/pytest-benchmark/summary.json" | grep -E "^(metric|functions|benchmarks|paths|values|holds)"
profkit info "$TESTDATA/time/killed.txt" | grep -E "^(metric +(time|cpu)|benchmarks|values|holds)"
profkit info --format json "$TESTDATA/pytest-benchmark/values.json" | grep -E '"total"|"paths"'
