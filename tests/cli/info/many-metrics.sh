# Totals of each metric look at all costs: without a limit, 40,000 events of one sample each took minutes.
events()
{
	echo '{"traceEvents":[],"stackFrames":{"1":{"name":"f"}},"samples":['
	for ((i = 1; i < $1; i++)); do
		echo "{\"ts\":$i,\"pid\":1,\"tid\":1,\"name\":\"m$i\",\"sf\":1,\"weight\":1},"
	done
	echo "{\"ts\":$i,\"pid\":1,\"tid\":1,\"name\":\"m$i\",\"sf\":1,\"weight\":1}]}"
}
events 900 >in.json
profkit info --format json in.json | grep -c '"name": "m'
events 1001 >in.json
status 2 profkit info in.json
