# Ids of asynchronous spans and numbers of categories are not mixed up: all spans take 10 us.
event() {
	printf '{"ph": "%s", "cat": "%s", "id": %d, "pid": 1, "tid": 1, "ts": %d, "name": "x"},\n' "$@"
}
time=0
for a in {1..12}; do
	for b in {1..12}; do
		[ $a != $b ] || continue
		event b first $a $time
		event b second $b $((time + 5))
		event e first $a $((time + 10))
		event e second $b $((time + 15))
		time=$((time + 20))
	done
done >events
{ echo '['; cat events; echo '{}]'; } >async.json
profkit query async.json "select duration, count(*) from span group by 1"
