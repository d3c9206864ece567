# SQL without an end is stopped; quick SQL is not.
profkit query --timeout 0.2 "$TESTDATA/example/before.prof" \
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c' || echo $?
profkit query --timeout 60 "$TESTDATA/example/before.prof" 'SELECT 1 AS one; SELECT 2 AS two'
# A single function that takes longer is stopped, too, and no output is left.
status 2 profkit query --timeout 0.5 "$TESTDATA/example/before.prof" -o out.txt \
    "SELECT instr(printf('%.*c', 10000000, 'x'), printf('%.*c', 5000000, 'x') || 'y')"
ls -A
