# The tables of the page have the columns and rows of the command.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
file=$TESTDATA/pytest-benchmark/odd.json
profkit report -q "$file" >page.html
profkit hotspots -q --format csv "$file" | cut -d, -f 1 >names
python3 - <<'END'
import base64, json, re, zlib
text = re.search('id="data">(.*?)</script>', open("page.html").read(), re.S)[1].strip()
data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
table = data["tables"][0]
cells = {column["key"]: column["cells"] for column in table["columns"]}
print(table["view"], *cells["benchmark"][:3])
print(*cells["rounds"])
END
tail -n +2 names | head -n 3 | xargs
