# A tree that is a guess is hatched, and said to be one.
profkit flamegraph "$TESTDATA/example/before.prof" -o out.svg
grep -o 'id="subtitle".*' out.svg
grep -c 'mask="url(#hatch)"' out.svg
grep -c '<mask id="hatch"' out.svg
