cd "$TESTDATA/example" && profkit query --format json before.prof \
    "SELECT 1 AS a, 'x' AS a, NULL AS b, 2.5 AS c UNION ALL SELECT 'text', 2, 3, 4"
