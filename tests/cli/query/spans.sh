# What ran when: spans, flows, instants, counters and arguments of a trace.
trace=$TESTDATA/example/shop.json
profkit query "$trace" "SELECT fn.text AS name, count(*) AS spans, sum(s.duration) AS ns
    FROM span s JOIN node n ON n.id = s.node JOIN location l ON l.id = n.location
    JOIN function f ON f.id = l.function JOIN string fn ON fn.id = f.name GROUP BY 1 ORDER BY 3 DESC"
echo "-- from a request's begin to its first query"
profkit query "$trace" "SELECT c.text AS category, min(t.time - o.time) AS soonest,
    max(t.time - o.time) AS latest FROM flow f JOIN span o ON o.id = f.\"from\"
    JOIN span t ON t.id = f.\"to\" JOIN string c ON c.id = f.category GROUP BY 1"
echo "-- marks and counters"
profkit query "$trace" "SELECT n.text AS name, i.time FROM instant i JOIN string n ON n.id = i.name"
profkit query "$trace" "SELECT s.text AS series, count(*) AS n, max(value) AS highest
    FROM counter c JOIN string s ON s.id = c.series GROUP BY 1 ORDER BY 1"
echo "-- arguments"
profkit query "$trace" "SELECT value AS status, count(*) AS n FROM argument WHERE key = 'status'
    GROUP BY 1 ORDER BY 1"
echo "-- the same from a store"
profkit convert -q "$trace" t.db
profkit query t.db "SELECT count(*) AS spans, sum(duration) AS ns FROM span"
