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
