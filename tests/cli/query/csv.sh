cd "$TESTDATA/example" && profkit query --format csv before.prof orders.folded \
    "SELECT run, count(*), sum(self), 'a,\"b' AS \"x,y\", NULL AS n, run AS run, 0.1 AS r
     FROM function_cost GROUP BY run ORDER BY run"
