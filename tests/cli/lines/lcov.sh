# Hits of lines as LCOV; samples if hits were not counted. Functions without a file are left out.
cd "$TESTDATA/example" || exit
profkit lines --format lcov orders.lprof
echo == samples
profkit lines --format lcov orders.raw.txt orders.py
