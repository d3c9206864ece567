# Of more call paths than a page has room for, the most expensive stays, also where costs below 0 make sums of no use.
for i in {10001..18000}; do echo "main;a_function_with_a_long_name_$((i * 7919 % 99991));leaf_$i 2"; done >paths.folded
printf 'main;hot;inner 1000000\nmain;given_back 1\n' >>paths.folded
profkit convert -q paths.folded -o paths.db
sql paths.db 'update cost set self = -1 where self = 1'
profkit report -q --max-size 256K paths.db -o page.html
python3 - page.html <<'END'
import base64, json, re, sys, zlib
text = re.search('id="data">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S)[1].strip()
page = json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))
paths, symbols = page["paths"], page["symbols"]
print("some paths are left out:", paths["count"] < 16000)
names = [page["texts"][symbols["name"][symbol]] for symbol in paths["symbol"]]
for depth, name in zip(paths["depth"], names):
    if name in ("hot", "inner"):
        print(depth, name)
END
