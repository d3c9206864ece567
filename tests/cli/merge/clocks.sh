# Runs whose clocks begin at different times: written once, and read again as they were.
trace() {
	cat <<-END
	{"baseTimeNanoseconds": $2, "schemaVersion": 1, "distributedInfo": {"rank": $3}, "traceEvents": [
	 {"ph": "X", "pid": $3, "tid": $3, "ts": $4, "dur": 10, "name": "$1"},
	 {"ph": "X", "pid": $3, "tid": $3, "ts": $(($4 + 20)), "dur": 5, "name": "$1"}]}
	END
}
trace first 1000000000000 1 5 >first.json
trace second 1000000100000 2 7 >second.json
trace old 0 3 1000000000 >old.json
trace absolute 0 3 1000000000000000 >absolute.json # torch before 2.4: us since 1970
trace early 999999990000000000 4 5 >early.json
for order in "first second" "second first" "old second" "absolute early"; do
	profkit merge -q -t chrome -o both.json ${order% *}.json ${order#* }.json
	grep -o '"baseTimeNanoseconds":[0-9]*' both.json || echo "no clock"
	profkit query -q --format csv both.json "select start, time, span.duration from run, span"
done
