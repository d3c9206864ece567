# Processes and threads become labels.
cp "$TESTDATA"/workers/recorded/good.perf.txt.gz .
profkit convert -q good.perf.txt.gz good.pb
for key in process thread; do
	profkit hotspots -n 2 --by-label $key good.pb
done
# A label is a text or a number, not both (fields 2 and 3 of a label, which is field 3 of a sample, field 2 of the file).
command -v python3 >/dev/null || exit 0
python3 -c '
import collections, sys
def fields(data):
    at = 0
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value
    while at < len(data):
        key = varint()
        value = varint()
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value
kinds = collections.Counter()
for number, sample in fields(sys.stdin.buffer.read()):
    for inner, label in fields(sample) if number == 2 else ():
        if inner == 3:
            kinds[tuple(sorted(n for n, v in fields(label) if v))] += 1
print(sorted(kinds))' <good.pb
# A function without a name keeps its file.
cat >unknown.speedscope.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "[unknown]", "file": "a.c"}]},
 "profiles": [{"type": "sampled", "name": "", "unit": "none", "startValue": 0, "endValue": 1, "samples": [[0]], "weights": [1]}]}
END
profkit convert -q -o unknown.pb.gz unknown.speedscope.json
profkit hotspots -q unknown.pb.gz | tail -n 1
