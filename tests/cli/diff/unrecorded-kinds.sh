# A function whose kind is not known is new; where that is one function in ten, nothing is said about kinds.
spy() { # NUMBER of functions of Python, as py-spy records them, and one without a file
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"py-spy@0.4.0","shared":{"frames":[{"name":"other"}'
    seq -s '' -f ',{"name":"f%g","file":"shop.py","line":9}' $1
    printf ']},"profiles":[{"type":"sampled","name":"Thread 1","unit":"seconds","startValue":0,"endValue":%d,"samples":[[0]' $(($1 + 1))
    seq -s '' -f ',[%g]' $1
    printf '],"weights":[1%s]}]}\n' "$(seq -s '' -f ',%g' $1)"
}
trace() { # NUMBER of functions of Python, as viztracer records them, and one of C
    local name i=0
    printf '{"traceEvents":[{"name":"builtins.sum","cat":"fee","ph":"X","pid":1,"tid":1,"ts":0,"dur":900000}'
    for ((i = 1; i <= $1; i++)); do
        printf ',\n{"name":"f%d (shop.py:8)","cat":"fee","ph":"X","pid":1,"tid":1,"ts":%d000000,"dur":900000}' $i $i
    done
    printf '],"viztracer_metadata":{"version":"1.1.1"}}\n'
}
for n in 9 10; do
    spy $n >spy.json
    trace $n >trace.json
    echo "== 1 of $((n + 1))"
    profkit diff -q --format csv --match 'sum|other' spy.json -- trace.json | cut -d, -f 1,14
    profkit diff -q --format csv --match 'sum|other' trace.json -- spy.json | cut -d, -f 1,14
done
echo '== two recorders, one format'
for i in 1 2 3; do
    frame="{\"args\":{\"filename\":\"shop.py\",\"line\":8},\"cat\":\"py-spy\",\"name\":\"f$i\",\"pid\":1,\"tid\":1"
    printf '%s,"ph":"B","ts":%d000000},\n%s,"ph":"E","ts":%d000000},\n' "$frame" $i "$frame" $((i + 1))
done | sed '1s/^/[/; $s/,$/]/' >spy.json
trace 3 >trace.json
profkit diff -q --format csv --match 'sum' spy.json -- trace.json | cut -d, -f 1,14
