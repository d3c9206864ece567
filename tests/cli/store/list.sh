cp "$TESTDATA"/example/*.prof "$TESTDATA/example/orders.folded" .
profkit store add runs.db before.prof
profkit store add runs.db after.prof orders.folded --label 'nightly run' --meta commit=1f3c --meta who=a=b
profkit store list runs.db
profkit store list --format csv runs.db
profkit store list --format json runs.db
profkit query runs.db 'SELECT m.run, k.text AS key, v.text AS value FROM meta m
    JOIN string k ON k.run = m.run AND k.id = m."key" JOIN string v ON v.run = m.run AND v.id = m.value
    ORDER BY 1, 2'
