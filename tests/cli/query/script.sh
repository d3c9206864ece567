# Several statements, from standard input; one result where there is room for one alone.
profkit query "$TESTDATA/example/before.prof" <<'SQL'
-- what there is
SELECT count(*) AS functions FROM function;
SELECT name, unit FROM (SELECT s.text AS name, u.text AS unit FROM metric m
    JOIN string s ON s.run = m.run AND s.id = m.name
    JOIN string u ON u.run = m.run AND u.id = m.unit);
SQL
profkit query --format csv "$TESTDATA/example/before.prof" 'SELECT 1; SELECT 2'
