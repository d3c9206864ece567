# Pages of what is odd: 10,000 threads, values that are no numbers, nothing at all; outputs that are there, or a pipe.
awk 'BEGIN {
	print "["
	for (i = 0; i < 10000; i++)
		printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"f%d\"}", i ? ",\n" : "", i, i, i % 50
	print "]"
}' >threads.json
profkit report threads.json -o page.html
[ $(wc -c <page.html) -lt 1000000 ] || echo "large"
python3 -c '
import marshal
nan = float("nan")
with open("nan.prof", "wb") as file:
    marshal.dump({("f.py", 1, "g"): (1, 1, nan, float("inf"), {}), ("f.py", 9, "h"): (1, 1, -0.5, 1.0, {})}, file)'
profkit report nan.prof | sed -n 's/.*id="data">//p' | grep -o '"functions":{.*"calls":\[' | head -c 300
: >empty.folded
status 2 profkit report empty.folded -o none.html
[ ! -e none.html ]
echo 'main 5' >one.folded
profkit report one.folded -o page.html
profkit report one.folded >pipe.html
cmp page.html pipe.html
chmod 444 page.html
profkit report one.folded -o page.html
cmp page.html pipe.html
mkfifo pipe
cat pipe >read.html &
profkit report one.folded -o pipe
wait
cmp page.html read.html
[ -p pipe ]
