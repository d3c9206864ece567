# Ticks are 1, 2 or 5 times a power of ten apart, at least 100 px: of 1,180 px are these 0.9, 1.7, 4.3 and 8.5 of
# 10, 20, 50 and 100. The unit is that of the end. Counters and instants are part of the time that is shown.
for dur in 0.1 20 50000 100000000; do
    echo "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":$dur,\"name\":\"f\"}]" >trace.json
    profkit timeline trace.json | sed -n 's/.*dx="3">\(.*\)<.text>/\1/p' | paste -sd ' '
done
cat >trace.json <<'END'
[{"ph":"C","pid":1,"ts":0,"name":"n","args":{"value":1}},
{"ph":"X","pid":1,"tid":1,"ts":10,"dur":10,"name":"f"},
{"ph":"i","pid":1,"tid":1,"ts":40,"name":"end","s":"t"}]
END
profkit timeline trace.json | grep -o 'data-total="[0-9]*"'
cat >trace.json <<'END'
[{"ph":"i","pid":1,"tid":1,"ts":0,"name":"begin","s":"t"},
{"ph":"X","pid":1,"tid":1,"ts":10,"dur":10,"name":"f"},
{"ph":"C","pid":1,"ts":40,"name":"n","args":{"value":1}}]
END
profkit timeline trace.json | grep -o 'data-total="[0-9]*"'
# Of 20 categories those have a place in the legend that fit into its line: 7 of 52.32 px in 380. Seven have
# colors of their own.
for i in {10..29}; do
    echo "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":$i,\"dur\":1,\"name\":\"same\",\"cat\":\"k$i\"}"
done | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >trace.json
profkit timeline --color category --width 400 --title 'a title' trace.json >t.svg
grep -o '<rect x="[0-9.]*" y="[0-9]*" width="12".*' t.svg
sed -n 's/.*title>same.*fill="\([^"]*\).*/\1/p' t.svg | uniq -c | sort | uniq -c
# The picture that fills the window says so; a lane's name is cut where it does not fit.
! grep 'data-fluid' t.svg
profkit timeline trace.json | grep -c 'data-fluid=""'
echo '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"f"},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"a thread with a long name"}}]' >trace.json
profkit timeline --width 120 trace.json | grep -o 'class="lane".*'
