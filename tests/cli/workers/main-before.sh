# A main thread that works only before the others begin gives work: it is none of the three workers; nor is it if it works less
# than half as much as they do beside them.
for beside in 0 49 50; do
	{
		echo '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"MainThread"}}'
		echo ',{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"load"}'
		[ $beside = 0 ] || echo ",{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":120,\"dur\":$beside,\"name\":\"help\"}"
		for tid in 2 3 4; do
			echo ",{\"ph\":\"X\",\"pid\":1,\"tid\":$tid,\"ts\":110,\"dur\":100,\"name\":\"work\"}"
		done
		echo ']'
	} >trace.json
	echo "== $beside"
	profkit workers -q --format csv trace.json | cut -d, -f1-3
done
