# All that the page holds as data, for events, for samples of two threads, for callers with lines, and for two sides; equal numbers as NUMBER*TIMES.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >data.py <<'END'
import base64, itertools, json, re, sys, zlib
def cells(values):
    runs = [(json.dumps(value, ensure_ascii=False), len(list(same))) for value, same in itertools.groupby(values)]
    return ",".join(value if times == 1 else f"{value}*{times}" for value, times in runs)
def show(name, value):
    if isinstance(value, dict):
        for key in value:
            show(f"{name}.{key}" if name else key, value[key])
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i, item in enumerate(value):
            show(f"{name}[{i}]", item)
    else:
        print(name, f"[{cells(value)}]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False))
text = re.search('id="data">(.*?)</script>', sys.stdin.read(), re.S)[1].strip()
data = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
show("", {key: value for key, value in data.items() if key not in ("profkit", "kinds", "tables")})
for table in data.get("tables", ()):
    print(table["view"], table["rows"], table["left"], *(column["key"] for column in table["columns"]))
    print(*("    " + note for note in table["notes"]), sep="\n", end="\n" if table["notes"] else "")
END
cat >trace.json <<'END'
[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"outer","cat":"a","args":{"n":-5}},
{"ph":"X","pid":7,"tid":8,"ts":2.001,"dur":3,"name":"inner","cat":"GPU"},
{"ph":"X","pid":9,"tid":9,"ts":5,"dur":1,"name":"work","cat":"b"},
{"ph":"i","pid":9,"tid":9,"ts":5.5,"name":"tick","cat":"a"},
{"ph":"C","pid":9,"ts":4,"name":"memory","args":{"used":2.5,"free":1}},
{"ph":"C","pid":9,"ts":6,"name":"memory","args":{"used":7,"free":0}}]
END
for sample in '7 1.0 a' '7 1.1 a' '7 1.3 b' '8 2.0 b' '8 2.1 c'; do
	set -- $sample
	printf 'app 7/%s %s00000: 1 cycles:\n\t1 %s (app)\n\t1 main (app)\n\n' "$@"
done >samples.txt
cat >callgrind.out.1 <<'END'
# callgrind format
events: ns misses
fl=a.c
fn=main
3 10 1
cfi=b.c
cfn=walk
calls=2 8
4 120 7
fl=b.c
fn=walk
8 40 5
9 30
cfn=leaf
calls=5 20
10 50 2
fn=leaf
20 50 2
END
printf 'main;a 5\nmain;b;c 3\nmain;gone 2\n' >one.folded
printf 'main;a 8\nmain;b;c 1\nmain;b;new 4\n' >two.folded
for files in trace.json samples.txt callgrind.out.1 "one.folded -- two.folded"; do
	echo "== $files"
	profkit report -q $files | python3 data.py
done
# Of 50,003 calls in each other the page has 50,000: what the others cost is the rest of the last of these.
awk 'BEGIN {
	printf "{\"meta\":{\"preprocessedProfileVersion\":57,\"version\":30,\"interval\":1,\"startTime\":0,\"product\":\"p\",\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}]},\"libs\":[],"
	printf "\"threads\":[{\"name\":\"a\",\"pid\":\"1\",\"tid\":1,\"stringArray\":[\"f\"],\"frameTable\":{\"func\":[0],\"length\":1},\"funcTable\":{\"name\":[0],\"length\":1},"
	printf "\"samples\":{\"stack\":[50002,5],\"time\":[1,2],\"weight\":null,\"weightType\":\"samples\",\"length\":2},\"stackTable\":{\"prefix\":[null"
	for (i = 0; i < 50002; i++)
		printf ",%d", i
	printf "],\"frame\":[0"
	for (i = 0; i < 50002; i++)
		printf ",0"
	print "],\"length\":50003}}]}"
}' >deep.gecko.json
profkit report -q deep.gecko.json | python3 data.py | grep '^paths\.\(count\|left\|split.metrics\)'
