# Spans that overlap are below each other, and their callees below them; each row has one span at a time.
x() { echo "{\"ph\":\"X\",\"pid\":1,\"tid\":$1,\"ts\":$2,\"dur\":$3,\"name\":\"$4\"},"; }
trace() {
    echo '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":['
    cat
    echo '{"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}}]}'
}
# The name of each span, and its row.
rows() {
    profkit timeline --no-javascript "$1" |
        sed -n 's/^<g><title>\([^ ]*\) .* y="\([0-9]*\)" height="15".*/\1 \2/p' |
        awk 'NR == 1 { next } NR == 2 { top = $2 } { print $1, ($2 - top) / 16 + 1 }'
}
{
    x 1 0 100 outer
    x 1 10 60 inner
    x 1 50 150 later # below both
    x 1 80 100 callee # not in the row of inner, though that is free
    x 1 120 20 leaf
    x 1 210 20 last
} | trace >callee.json
rows callee.json
profkit report callee.json -o r.html && grep -o '"busy":\[[0-9]*\],"first"' r.html # all but 200 to 210 us
echo "40 at a time:"
for i in $(seq 40); do
    x 1 $((i * 10)) 1000 f$i
done | trace >many.json
rows many.json | awk '{ print $2 }' | sort -n | uniq | wc -l
