# Overlapping spans of one thread are on lanes of their own; those of the second file stay apart too.
cat >x.json <<'EOF'
[{"ph":"X","pid":1,"tid":7,"ts":0,"dur":10,"name":"a"},
 {"ph":"X","pid":1,"tid":7,"ts":5,"dur":10,"name":"b"},
 {"ph":"X","pid":1,"tid":7,"ts":8,"dur":10,"name":"c"}]
EOF
profkit merge -o x.db x.json x.json x.json 2>warnings
profkit query --format csv x.db 'SELECT tid, count(DISTINCT incarnation), count(*) FROM thread GROUP BY tid' 2>warnings
profkit query --format csv x.db 'SELECT thread, count(*) FROM span GROUP BY thread' 2>warnings
