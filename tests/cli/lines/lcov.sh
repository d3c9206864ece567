# Hits of lines as LCOV; samples where they were not counted. What is no file is left out.
cd "$TESTDATA/example" || exit
profkit lines --format lcov orders.lprof
echo == samples
profkit lines --format lcov orders.raw.txt orders.py
