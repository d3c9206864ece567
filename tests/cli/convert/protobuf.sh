# Whole files, decoded here, with the numbers of fields: a packet of Perfetto (protos/perfetto/trace), or a message of pprof
# (profile.proto), in each line. In the trace are process.legacy_sort_index (60.3.3) and thread.legacy_sort_index (60.4.3), arguments,
# a flow, an instant and counters; in samples of perf frames, mappings and build ids of their stacks.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >trace.json <<'END'
[{"ph":"M","pid":7,"name":"process_sort_index","args":{"sort_index":5}},
{"ph":"M","pid":7,"tid":8,"name":"thread_sort_index","args":{"sort_index":21}},
{"ph":"M","pid":7,"tid":9,"name":"thread_sort_index","args":{"sort_index":12}},
{"ph":"M","pid":7,"tid":9,"name":"thread_name","args":{"name":"worker"}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"f","cat":"a","args":{"n":5,"r":0.5,"s":"x","t":true,"o":{"k":[1]},"e":[]}},
{"ph":"X","pid":7,"tid":9,"ts":1,"dur":9,"name":"g","cat":"b"},
{"ph":"X","pid":7,"tid":10,"ts":1,"dur":9,"name":"h"},
{"ph":"s","pid":7,"tid":8,"ts":3,"name":"go","cat":"c","id":1},
{"ph":"f","bp":"e","pid":7,"tid":9,"ts":5,"name":"go","cat":"c","id":1},
{"ph":"i","pid":7,"tid":9,"ts":5.5,"name":"tick","args":{"of":"clock"}},
{"ph":"C","pid":7,"ts":4,"name":"memory","args":{"used":7,"free":2.5}}]
END
profkit convert -q trace.json --to perfetto -o trace.pftrace
profkit convert -q -O metric=samples "$TESTDATA/otlp/everything.otlp" --to perfetto -o samples.pftrace
profkit convert -q "$TESTDATA/pprof/everything.pb.gz" everything.pb
profkit convert -q "$TESTDATA/otlp/everything.otlp" otlp.pb
python3 - <<'END'
import struct
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
        elif key & 7 == 2:
            length, at = varint(data, at)
            if at + length > len(data):
                raise IndexError
            value, at = data[at:at + length], at + length
        elif key & 7 == 1:
            value, at = struct.unpack("<Q", data[at:at + 8])[0], at + 8
            if value >> 52: # no identifier
                value, = struct.unpack("<d", struct.pack("<Q", value))
        else:
            raise IndexError
        yield key >> 3, value
def shown(value):
    if not isinstance(value, bytes):
        return str(value)
    if value and all(32 <= byte < 127 for byte in value):
        return f'"{value.decode()}"'
    try:
        return "{" + " ".join(f"{number}:{shown(inner)}" for number, inner in fields(value)) + "}"
    except (IndexError, struct.error):
        return value.hex()
for name in "trace.pftrace", "samples.pftrace", "everything.pb", "otlp.pb":
    print(f"== {name}")
    for of, message in fields(open(name, "rb").read()):
        if name.endswith(".pb"):
            print(f"{of}:{shown(message)}")
        else:
            print(*(f"{number}:{shown(value)}" for number, value in fields(message)))
END
