# FILE@last=N are the runs that were added last, FILE@LABEL,last=N those of a label or KEY=VALUE, also if a label reads last=N.
# FILE@3..5 are the runs with these numbers.
for i in 1 2 3 4 5 6; do
	printf 'main;f %d\n' $i >$i.folded
	profkit store add -q runs.db $i.folded --label r$((i % 2)) --meta branch=b$((i / 4))
done
total() { profkit hotspots -q --format csv --limit 1 "$1" | tail -n 1; }
for which in last=1 last=2 last=99 r0,last=2 branch=b0,last=2 branch=b1,last=1; do
	echo "$which: $(total "runs.db@$which")"
done
profkit history -q --format csv runs.db@branch=b0,last=2 | cut -d, -f 1,2
for which in last=0 last= last=x last=1x r9,last=1 ,last=1 last=99999999999999999999; do
	profkit info -q "runs.db@$which" >/dev/null || echo "status $? $which"
done
profkit store add -q runs.db 1.folded --label last=2
total runs.db@last=2
profkit check -q -b runs.db@r1,last=2 5.folded | head -n 1
profkit store remove -q runs.db 2
for which in 1..3 3..3 5..99 2..2 3..1 1.. ..3 1..x; do
	echo "$which: $(total "runs.db@$which")"
done
