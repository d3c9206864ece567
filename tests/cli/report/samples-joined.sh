# The timeline of more samples than it may have boxes: those that begin within 125 us are one, of the function that lasts
# longest; of c and d, 100 us each, it is the first. That leaves one box.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
awk 'BEGIN {
	for (i = 0; i < 30000; i++)
		printf "app 7 %.6f: 1 cycles:\n\t1 %s (app)\n\n", 1 + i / 10000, i % 2 ? "d" : "c"
}' >many.txt
profkit report -q many.txt | python3 -c '
import base64, json, re, sys, zlib
text = re.search("id=\"data\">(.*?)</script>", sys.stdin.read(), re.S)[1].strip()
timeline = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))["timeline"]
print(timeline["together"], timeline["boxes"]["begin"], timeline["boxes"]["length"])'
