# Several runs of a side that are no ranks are no workers.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
profkit diff -q -o runs.html "$TESTDATA"/diff/run-a{1,2,3}.prof -- "$TESTDATA"/diff/run-b{1,2,3}.prof
python3 - <<'END'
import base64, json, re, zlib
text = re.search('id="data">(.*?)</script>', open("runs.html").read(), re.S)[1].strip()
data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
print([t["view"] for t in data.get("tables", [])])
END
