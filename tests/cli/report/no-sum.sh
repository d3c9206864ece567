# The largest value of parts is no sum of them: there is no flame graph without a script, and none with one.
for metric in memory hits; do
	profkit report --metric $metric "$TESTDATA/memory-profiler/calls.txt" -o page.html
	echo $metric: $(grep -o '<svg' page.html) $(grep -o '"total":[0-9]*,"no_sum":true' page.html)
done
