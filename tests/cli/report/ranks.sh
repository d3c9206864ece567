# Lanes of the timeline tell the rank, and are in the order of ranks.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
profkit report -q -o ranks.html "$TESTDATA"/torch/gpu.json "$TESTDATA"/torch/rank1.json
profkit diff -q -o ranks-compared.html "$TESTDATA"/torch/gpu.json -- "$TESTDATA"/torch/gpu.json "$TESTDATA"/torch/rank1.json
python3 - <<'END'
import base64, json, re, zlib
for page in "ranks", "ranks-compared":
    text = re.search('id="data">(.*?)</script>', open(page + ".html").read(), re.S)[1].strip()
    data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
    print(page, list(dict.fromkeys(data["timeline"]["lanes"]["process"])), [t["rows"] for t in data.get("tables", []) if t["view"] == "workers"])
END
