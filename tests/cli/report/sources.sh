# Lines without text say why: no folder of sources was given, or it does not have the file.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
mkdir empty
profkit report -q "$TESTDATA/example/orders.lprof" -o without.html
profkit report -q --source empty "$TESTDATA/example/orders.lprof" -o empty.html
profkit report -q --source "$TESTDATA/example" "$TESTDATA/example/orders.lprof" -o with.html
python3 - <<'END'
import base64, json, re, zlib
for page in "without", "empty", "with":
    text = re.search('id="data">(.*?)</script>', open(page + ".html").read(), re.S)[1].strip()
    data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
    print(page, [t["words"] for t in data["tables"] if t["view"] == "lines"][0])
END
