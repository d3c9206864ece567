# The largest value of parts is no sum of them: there is no flame graph without a script, and none with one.
data='import base64, re, sys, zlib
text = re.search(r"id=\"data\">([^<]*)", sys.stdin.read()).group(1)
print(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)).decode())'
for metric in memory hits; do
	profkit report --metric $metric "$TESTDATA/memory-profiler/calls.txt" -o page.html
	echo $metric: $(sed '/id="data"/,$d' page.html | grep -o '<svg') $(python3 -c "$data" <page.html | grep -o '"total":[0-9]*,"no_sum":true')
done
# Without functions it says the sums in words.
echo '[{"ph": "C", "name": "queue", "pid": 1, "ts": 10, "args": {"long": 3}}]' >counter.json
profkit report -q counter.json | grep -o '<p>.*'
