# A main thread that works only before the others begin gives work: it is none of the three workers.
{
	echo '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"MainThread"}}'
	echo ',{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"load"}'
	for tid in 2 3 4; do
		echo ",{\"ph\":\"X\",\"pid\":1,\"tid\":$tid,\"ts\":110,\"dur\":90,\"name\":\"work\"}"
	done
	echo ']'
} >trace.json
profkit workers -q --format csv trace.json | cut -d, -f1-3
