# What to look at is chosen before writing.
profkit convert --focus parse "$TESTDATA/example/orders.folded" out.folded
cat out.folded
profkit convert --hide random --show orders --to folded "$TESTDATA/example/orders.folded" -
# What is known of a metric stays known.
for what in period exactness; do
    profkit query -q --format csv "$TESTDATA/austin/wall.austin" "select $what from metric" >a.csv
    profkit convert -q --hide nothing-has-this-name "$TESTDATA/austin/wall.austin" -o $what.db
    profkit query -q --format csv $what.db "select $what from metric" | diff a.csv - && tail -n 1 a.csv
done
# Counters of a process go with its threads.
cat >trace.json <<'END'
[{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"f"},
{"ph":"X","pid":9,"tid":9,"ts":5,"dur":1,"name":"g"},
{"ph":"C","pid":7,"ts":4,"name":"memory","args":{"used":7}},
{"ph":"C","pid":9,"ts":4,"name":"memory","args":{"used":9}}]
END
for which in --process --thread; do
    profkit convert -q $which 9 --to chrome trace.json - | grep '"C"'
done
