# The tables of the page have the columns and rows of the command.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
file=$TESTDATA/pytest-benchmark/odd.json
profkit report -q "$file" >page.html
profkit hotspots -q --format csv "$file" | cut -d, -f 1 >names
awk 'BEGIN {
	print "# callgrind format\nevents: ns"
	for (i = 1; i <= 502; i++)
		print "fl=f" i ".c\nfn=f" i "\n1 " i
}' >callgrind.out.1
profkit report -q callgrind.out.1 >lines.html
python3 - <<'END'
import base64, json, re, zlib
def tables(page):
    text = re.search('id="data">(.*?)</script>', open(page).read(), re.S)[1].strip()
    return json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))["tables"]
table, = tables("page.html")
# Of 502 files there are 500, with a line each.
print(*((t["view"], t["rows"], t["left"]) for t in tables("lines.html")))
cells = {column["key"]: column.get("cells") for column in table["columns"]}
print(table["view"], *cells["benchmark"][:3])
print(*cells["rounds"])
END
tail -n +2 names | head -n 3 | xargs
# Without a script, the page has them, too.
sed -n 's/.*class="t">\(.*test_once[^<]*\)<.*/\1/p' page.html
