cp "$TESTDATA/example/before.prof" a.prof
status 2 profkit query a.prof 'SELECT 1 +'
status 2 profkit query a.prof "INSERT INTO run(run) VALUES (1)"
status 2 profkit query a.prof "ATTACH 'b.db' AS b"
status 2 profkit query a.prof misspelt.prof
status 2 profkit query 'SELECT 1'
status 2 profkit query -f csv a.prof 'SELECT 1'
status 2 profkit query a.prof 'SELECT 1; SELECT 1 FROM' -o out.txt
ls
