cp "$TESTDATA/example/before.prof" a.prof
profkit query a.prof 'SELECT 1 +'
profkit query a.prof "INSERT INTO run(run) VALUES (1)"
profkit query a.prof "ATTACH 'b.db' AS b"
profkit query a.prof misspelt.prof
profkit query 'SELECT 1'
profkit query -f csv a.prof 'SELECT 1'
profkit query a.prof 'SELECT 1; SELECT 1 FROM' -o out.txt
ls
