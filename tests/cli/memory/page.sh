# The page of `report` has the peak of memory, and a curve of 600 values whose highest is that peak.
data() {
	profkit report -q "$1" | python3 -c '
import base64, json, re, sys, zlib
text = re.search("id=\"data\">(.*?)</script>", sys.stdin.read(), re.S)[1].strip()
memory = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))["memory"]
curve = memory.pop("curve")
print(memory, len(curve), max(v for v in curve if v is not None) if curve else None)'
}
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
data "$TESTDATA/memray/all.bin"
data "$TESTDATA/mprof/marked.dat"
profkit memory -q --format json "$TESTDATA/mprof/marked.dat" | grep -E '"(peak|duration)' | head -3
