# At one instant an arrow begins before it ends, whatever the order of the file.
cat >x.json <<'EOF'
[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 9, "name": "from"},
 {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 9, "name": "to"},
 {"ph": "f", "pid": 1, "tid": 2, "ts": 5, "id": 1, "cat": "c", "name": "n", "bp": "e"},
 {"ph": "s", "pid": 1, "tid": 1, "ts": 5, "id": 1, "cat": "c", "name": "n"}]
EOF
profkit query --format csv x.json 'SELECT a.thread, b.thread FROM flow f JOIN span a ON a.id = f."from"
    JOIN span b ON b.id = f."to"'
