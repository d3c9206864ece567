# The areas of a counter on the page: its series stand on one another, each value until the next one comes or the trace ends.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >queue.json <<'END'
{"traceEvents": [
{"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": 0, "dur": 40},
{"ph": "C", "name": "queue", "pid": 1, "ts": 10, "args": {"long": 3, "short": 1}},
{"ph": "C", "name": "queue", "pid": 1, "ts": 20, "args": {"long": 5, "short": 2}},
{"ph": "C", "name": "queue", "pid": 1, "ts": 30, "args": {"long": 0, "short": 1}}]}
END
profkit report -q queue.json >page.html
python3 - <<'END'
import base64, json, re, zlib
text = re.search('id="data">(.*?)</script>', open("page.html").read(), re.S)[1].strip()
data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
for counter in data["timeline"]["counters"]:
    for key, value in counter.items():
        print(key, value)
END
# The last value may come where the trace ends: it has an area, too.
cat >last.json <<'END'
{"traceEvents": [
{"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": 0, "dur": 20},
{"ph": "C", "name": "queue", "pid": 1, "ts": 10, "args": {"long": 1}},
{"ph": "C", "name": "queue", "pid": 1, "ts": 20, "args": {"long": 7}},
{"ph": "C", "name": "only", "pid": 1, "ts": 20, "args": {"long": 2}}]}
END
profkit report -q last.json >last.html
python3 - <<'END'
import base64, json, re, zlib
text = re.search('id="data">(.*?)</script>', open("last.html").read(), re.S)[1].strip()
data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
print([(counter["highest"], counter["high"]) for counter in data["timeline"]["counters"]])
END
profkit timeline -q last.json -o - | grep -o 'at most [0-9]*'
