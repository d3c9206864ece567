# The places of processes and threads in the picture: process.legacy_sort_index and thread.legacy_sort_index, decoded here.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >trace.json <<'END'
[{"ph":"M","pid":7,"name":"process_sort_index","args":{"sort_index":5}},
{"ph":"M","pid":7,"tid":8,"name":"thread_sort_index","args":{"sort_index":21}},
{"ph":"M","pid":7,"tid":9,"name":"thread_sort_index","args":{"sort_index":12}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"f"},
{"ph":"X","pid":7,"tid":9,"ts":1,"dur":9,"name":"g"},
{"ph":"X","pid":7,"tid":10,"ts":1,"dur":9,"name":"h"}]
END
profkit convert -q trace.json --to perfetto -o trace.pftrace
python3 - <<'END'
def varint(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at
def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = varint(data, at) if key & 7 == 2 else (8 if key & 7 == 1 else 4, at)
            value, at = data[at:at + length], at + length
        yield key >> 3, value
for _, packet in fields(open("trace.pftrace", "rb").read()):
    for number, value in fields(packet):
        for kind, inner in fields(value) if number == 60 else ():
            if kind in (3, 4):
                known = dict(fields(inner))
                print("process" if kind == 3 else f"thread {known[2]}", known.get(3))
END
