#!/usr/bin/env python3
"""Files that unpack to very much, XML that refers to others or to itself, SQL and stores that never end: profkit stops
by itself, in little memory, with a message and status 2, says how to go on, and neither reaches the network nor other
files.
"""
import bz2
import functools
import gzip
import http.server
import lzma
import os
import pathlib
import resource
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

PROFKIT = os.environ["PROFKIT"]
TESTDATA = pathlib.Path(os.environ["TESTDATA"])
MEMORY = 3 << 30  # of addresses: text that is one line of 1 GB is in memory twice
COMMENT = b"# ".ljust((1 << 20) - 1) + b"\n"
wrong = []
count = 0
SLOW = float(os.environ.get("CK_TIMEOUT_MULTIPLIER", 1))  # gcov and valgrind are


def limited(args, seconds):
    """Runs profkit; after so many seconds of processor time it is killed by SIGKILL, status -9."""
    def limit():
        if not os.environ.get("SANITIZE"):  # sanitizers take terabytes of addresses
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * SLOW), int(seconds * SLOW)))
    return subprocess.run([PROFKIT, *map(str, args)], capture_output=True, stdin=subprocess.DEVNULL, preexec_fn=limit)


def expect(what, args, status, message, seconds=60):
    global count
    count += 1
    run = limited(args, seconds)
    if run.returncode != status or message.encode() not in run.stderr:
        wrong.append(f"{what}: status {run.returncode}: {run.stderr[-300:]!r}")
    return run.stdout


@functools.cache
def member(of):
    return gzip.compress(of * ((100 << 20) // len(of)), 9, mtime=0)


def members(size, of=b"\0"):
    """gzip members that unpack to `size` bytes or less, all the same."""
    return member(of) * (size // (100 << 20))


def compressed(folder):
    bomb = folder / "zeros.gz"
    bomb.write_bytes(members(10 << 30))
    expect("10 GB of zeros", ["info", bomb], 2, "format")
    for reader, blank in (("chrome", b" "), ("folded", COMMENT)):
        bomb = folder / f"blank-{reader}.gz"
        bomb.write_bytes(members(10 << 30, blank))
        expect(f"10 GB of blanks as {reader}", ["info", "-f", reader, bomb], 2, "with --max-memory SIZE it is read all the same")
    nested = folder / "nested.gz"
    nested.write_bytes(gzip.compress(members(10 << 30, COMMENT), 9))
    expect("a bomb in a bomb", ["info", "-f", "folded", nested], 2, "with --max-memory SIZE")
    deeper = gzip.compress(gzip.compress(nested.read_bytes()))
    nested.write_bytes(deeper)
    expect("four times over", ["info", nested], 2, "compressed more than 3 times over")
    going_on = folder / "going-on.gz"
    going_on.write_bytes(members(1200 << 20, COMMENT) + gzip.compress(b"a;b 7\n"))
    expect("much and a stack", ["info", "-f", "folded", going_on], 2, "with --max-memory SIZE")
    if not os.environ.get("SANITIZE"):
        out = expect("much and a stack, with the option", ["convert", "-q", "--max-memory", "1G", "-f", "folded", "--to", "folded",
                                                           going_on, "-"], 0, "")
        if out != b"a;b 7\n":
            wrong.append(f"much and a stack, with the option: {out!r}")
        zeros = folder / "zeros.gz"
        expect("zeros as one name", ["info", "--max-memory", "300M", "-f", "folded", zeros], 2, "longer than")


def block(kind, size, data, last=0):
    """One of a zstd frame (RFC 8878, 3.1.1.2). Kind 0: as it is; 1: a byte, `size` times over."""
    return struct.pack("<I", last | kind << 1 | size << 3)[:3] + data


def frame(blocks, window=17, size=None, dictionary=None):
    """A zstd frame with a window of 2^window bytes that claims to unpack to `size`."""
    head = bytes([(0 if size is None else 3 << 6) | (0 if dictionary is None else 3), (window - 10) << 3])
    head += b"" if dictionary is None else struct.pack("<I", dictionary)
    head += b"" if size is None else struct.pack("<Q", size)
    return b"\x28\xb5\x2f\xfd" + head + blocks


def blanks(size, **kind):
    return frame(block(1, 1 << 17, b" ") * (size >> 17) + block(0, 0, b"", 1), **kind)


STACK = block(0, 6, b"a;b 7\n", 1)
EVENT = b'[{"name":"a","ph":"X","ts":0,"dur":7,"pid":1,"tid":1}]'
NOTHING = frame(block(0, 0, b"", 1))
SKIPPED = struct.pack("<II", 0x184D2A50, 0)  # a frame that is no data, of 0 bytes
FAR = "with --max-memory SIZE it is read all the same"


def zstd(folder):
    """zstd has frames of 4 bytes for 128 KB: what unpacks to 10 GB has 320 KB, or 400 bytes in gzip."""
    huge, packed = blanks(10 << 30), gzip.compress(blanks(10 << 30), 9)
    assert len(packed) < 1000
    pieces = 1_000_000 if os.environ.get("SANITIZE") else 10_000_000
    cases = [
        ("10 GB in a frame", huge, 2, FAR),
        ("10 GB in 10,240 frames", blanks(1 << 20) * 10240, 2, FAR),
        ("10 GB of zstd in 400 bytes of gzip", packed, 2, FAR),
        ("those 10 GB in zstd again", frame(block(0, len(packed), packed, 1)), 2, FAR),
        ("10 GB after an event", frame(block(0, len(EVENT), EVENT, 1)) + huge, 2, FAR),
        ("a window of 128 MB", frame(STACK, window=27), 0, ""),
        ("a window of 256 MB", frame(STACK, window=28), 2, "a window of more than 128 MB"),
        ("a window of 2 GB", frame(STACK, window=31), 2, "unpack it with 'zstd -d --long=31'"),
        ("a window of 2 TB", frame(STACK, window=41), 2, "a window of more than 128 MB"),
        ("a dictionary", frame(STACK, dictionary=77), 2, "compressed with a dictionary"),
        ("the right size", frame(STACK, size=6), 0, ""),
        ("a size of 2^60", frame(STACK, size=1 << 60), 2, "damaged zstd data"),
        ("a size of 1", frame(STACK, size=1), 2, "damaged zstd data"),
        ("skipped frames and a stack", SKIPPED * 3 + frame(STACK) + SKIPPED * 3, 0, ""),
        ("a skipped frame of 4 GB", struct.pack("<II", 0x184D2A5F, 0xffffffff) + b"x" * 1000, 2, "is cut off here"),
        ("10 million skipped frames", SKIPPED * pieces, 2, "empty file"),
        ("10 million empty frames", NOTHING * pieces, 2, "empty file"),
        ("a billion skipped frames in gzip", gzip.compress(SKIPPED * (1 << 20), 1) * 1000, 2, FAR),
        ("a billion empty frames in gzip", gzip.compress(NOTHING * (1 << 20), 1) * 1000, 2, FAR),
        ("garbage behind it", frame(STACK) + b"garbage", 2, "something else follows"),
    ]
    for what, data, status, message in cases:
        path = folder / "case.zst"
        path.write_bytes(data)
        expect(what, ["info", "-f", "chrome" if "10 GB" in what else "folded", path], status, message)
    path.write_bytes(blanks(1200 << 20) + frame(block(0, len(EVENT), EVENT, 1)))
    if not os.environ.get("SANITIZE"):
        out = expect("much and an event of zstd, with the option", ["convert", "-q", "--max-memory", "1G", "-f", "chrome", "--to",
                                                                   "folded", path, "-"], 0, "")
        if not out.endswith(b"a 7000\n"):
            wrong.append(f"much and an event of zstd, with the option: {out!r}")
        path.write_bytes(frame(STACK, window=27))
        expect("a window of 128 MB, but memory of 100", ["info", "--max-memory", "100M", "-f", "folded", path], 2, "out of memory")


def members_of_gzip(folder):
    stack, nothing = gzip.compress(b"a;b 7\n", mtime=0), gzip.compress(b"", mtime=0)
    named = b"\x1f\x8b\x08\x08" + bytes(6) + b"x" * (100 << 20)  # its name has no end
    cases = [
        ("10 million empty members", nothing * 10_000_000, 2, "empty file"),
        ("a billion empty members in gzip", gzip.compress(nothing * (1 << 20), 1) * 1000, 2, FAR),
        ("empty members and a stack", nothing * 1000 + stack + nothing, 0, ""),
        ("a name without end", named, 2, "is cut off here"),
        ("a longer name, in gzip", gzip.compress(named + b"x" * (100 << 20), 1) + gzip.compress(b"x" * (100 << 20), 9) * 20, 2, FAR),
        ("garbage behind it", stack + b"garbage", 2, "something else follows"),
        ("zeros behind it", stack + bytes(100000), 0, ""),
        ("a wrong checksum", stack[:-8] + b"abcd" + stack[-4:], 2, "damaged gzip data"),
        ("a wrong length", stack[:-4] + b"abcd", 2, "damaged gzip data"),
    ]
    for what, data, status, message in cases:
        path = folder / "case.gz"
        path.write_bytes(data)
        expect(what, ["info", "-f", "folded", path], status, message)


def varint(value):
    """A number below 2^14."""
    return bytes([value & 127 | 128, value >> 7])


def field(number, value):
    """A field of protocol buffers: a number, or bytes, whose length is in 4 bytes."""
    if isinstance(value, int):
        return bytes([number << 3]) + varint(value)
    return bytes([number << 3 | 2]) + length(len(value)) + value


def length(size):
    return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21])


def pprof(folder):
    """What samples refer to is many times as large as they are."""
    texts = b"".join(field(6, text) for text in (b"", b"cpu", b"nanoseconds", b"f"))
    kind, function = field(1, field(1, 1) + field(2, 2)), field(5, field(1, 1) + field(2, 3))
    lines = b"".join(field(4, field(1, 1) + field(2, line % 16384)) for line in range(20000))
    roots = b"".join(field(4, field(1, i)) for i in range(2, 1000))
    long = b"".join(field(2, field(1, b"\1" * 20 + varint(i)) + field(2, b"\1")) for i in range(2, 1000))
    wide = b"".join(field(4, field(1, i)) + field(2, field(1, i) + field(2, b"\1")) for i in range(1, 5000))
    path = folder / "large.pb"
    for what, data, message in (("lines", kind + function + field(4, field(1, 1) + lines) + roots + long, "repeats locations of very many lines"),
                                ("types", kind * 5000 + wide, "without values of most of the types")):
        path.write_bytes(texts + data)
        expect(f"very many {what} of pprof", ["info", "-f", "pprof", path], 2, message, 20)


def perfetto(folder):
    """Compressed packets of a trace: each of them unpacks to what is allowed, all together do not."""
    path = folder / "packed.pftrace"
    zeros = zlib.compress(b"\0" * (1 << 28))
    for what, number, content in (("zlib", 50, zeros), ("zstd", 133, blanks(1 << 28))):
        packet = field(1, bytes([number << 3 & 127 | 130, number >> 4]) + field(1, content)[1:])
        path.write_bytes(packet * 8)
        expect(f"a trace of Perfetto packed by {what} again and again", ["info", "-f", "perfetto", path], 2, "unpack", 20)


def long_trace(folder):
    """A trace of Perfetto of more than 2 GiB, with holes: packets of 64 MiB that are not read, and an event before and after them."""
    path = folder / "long.pftrace"
    size, begin, end = 1 << 26, (b"\x48\x01\xba\x01\x04work", 1000), (b"\x48\x02", 6000)
    with open(path, "wb") as out:
        for event, time in (begin, end):
            event = field(1, b"\x40" + varint(time) + field(11, event))
            out.write(event)
            if time == begin[1]:
                for _ in range(33):
                    head = b"\x9a\x06" + length(size)
                    out.write(b"\x0a" + length(len(head) + size) + head)
                    out.seek(size, os.SEEK_CUR)
    out = expect("a trace of Perfetto of more than 2 GiB", ["hotspots", "-q", "--format", "csv", path], 0, "")
    if b"work,,,,unknown,1,1,5000," not in out:
        wrong.append(f"a trace of Perfetto of more than 2 GiB: {out!r}")


def gperftools(folder):
    """Addresses of very many frames, and threads that all have the stack of the one before."""
    path = folder / "many.txt"
    names = b"".join(b"#\t0x0\tf%d\tg:1\n" % i for i in range(5000))
    path.write_bytes(b"goroutine profile: total 1\n1 @ " + b"0x1 " * 20000 + b"\n" + names)
    expect("very many names of an address", ["info", path], 2, "repeats locations of very many lines", 20)
    path.write_bytes(b"--- Thread 7f (name: m/1) stack: ---\n" + b"0x1 " * 200000 + b"\n" + b"[same as previous thread]\n" * 50000)
    expect("very many threads of one stack", ["info", path], 0, "", 20)


def tachyon(folder):
    """Every sample is of another thread: a thread takes no more than its stack."""
    plain = (TESTDATA / "tachyon" / "plain.bin").read_bytes()
    strings, frames = struct.unpack_from("<QQ", plain, 40)
    count = 200_000
    samples = b"".join(struct.pack("<QIB", thread + 1, 0, 1) + b"\1\5\1\1" for thread in range(count))
    data = bytearray(plain[:64] + samples + plain[strings:])
    moved = 64 + len(samples) - strings
    struct.pack_into("<QIQQ", data, 28, count, count, strings + moved, frames + moved)
    struct.pack_into("<Q", data, len(data) - 24, len(data))
    path = folder / "threads.bin"
    path.write_bytes(data)
    if not os.environ.get("SANITIZE"):
        expect("200,000 threads", ["info", "--max-memory", "400M", path], 0, "", 20)


def others(folder):
    """What profkit does not unpack gets the command that does."""
    text = b"a;b 7\n"
    for name, data, message in [
            ("xz", lzma.compress(text), "xz -dc FILE"), ("bz2", bz2.compress(text), "bzip2 -dc FILE"),
            ("lzma", lzma.compress(text, format=lzma.FORMAT_ALONE), "xz -dc FILE"),
            ("lz", b"LZIP\1\x0c" + bytes(30), "lzip -dc FILE"), ("Z", b"\x1f\x9d\x90" + bytes(30), "gzip -dc FILE"),
            ("sz", b"\xff\6\0\0sNaPpY" + bytes(30), "snappy data (unpack it first)"),
            ("7z", b"7z\xbc\xaf\x27\x1c\0\4" + bytes(30), "7z archive (unpack it first)"),
            ("zip", b"PK\3\4" + bytes(30), "zip archive (unpack it first)"),
            ("zz", zlib.compress(text), "binary data of an unknown kind")]:
        for packed in (data, gzip.compress(data)):
            path = folder / f"other.{name}"
            path.write_bytes(packed)
            expect(f"{name} data", ["info", path], 2, message)


def svg(declarations, text):
    good = (TESTDATA / "flamegraph-svg" / "perl-today.svg").read_text()
    start = good.index("<svg")
    return declarations + good[start:].replace("<title>", f"<title>{text}", 1)


def documents(folder):
    """Nothing is fetched, read or blown up."""
    secret = folder / "secret"
    secret.write_text("the-secret")
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"the-secret")

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    web = f"http://127.0.0.1:{server.server_port}"
    for name, base in (("file", f"file://{secret}"), ("path", str(secret)), ("http", f"{web}/e")):
        cases = {
            "entity": svg(f'<!DOCTYPE svg [<!ENTITY e SYSTEM "{base}">]>', "&e;"),
            "parameter": svg(f'<!DOCTYPE svg [<!ENTITY % p SYSTEM "{base}"> %p;]>', ""),
            "dtd": svg(f'<!DOCTYPE svg SYSTEM "{base}">', ""),
            "public": svg(f'<!DOCTYPE svg PUBLIC "-//x//y" "{base}">', "&e;"),
            "include": svg("", f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{base}" parse="text"/>'),
            "style": svg(f'<?xml-stylesheet href="{base}" type="text/xsl"?>', ""),
            "image": svg("", "").replace("</svg>", f'<image href="{base}"/></svg>'),
        }
        for kind, text in cases.items():
            path = folder / f"{kind}.svg"
            path.write_text(text)
            for format_args in (["-f", "flamegraph-svg"], []):
                run = limited(["convert", *format_args, "--to", "json", path, "-"], 60)
                global count
                count += 1
                if run.returncode not in (0, 2) or b"the-secret" in run.stdout + run.stderr:
                    wrong.append(f"{kind} {name}: status {run.returncode}")
                if run.returncode == 2 and not run.stderr.startswith(b"profkit: "):
                    wrong.append(f"{kind} {name}: {run.stderr!r}")
    server.shutdown()
    if asked:
        wrong.append(f"asked for {asked}")
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 30))
    for declared in (f'<!DOCTYPE svg [<!ENTITY a0 "ha">{levels}]>', f'<!DOCTYPE svg [{" " * 200000}<!ENTITY a0 "ha">{levels}]>',
                     '<!DOCTYPE svg [<!ENTITY a29 "&a29;">]>'):
        path = folder / "laughs.svg"
        path.write_text(svg(declared, "&a29;"))
        expect("entities of entities", ["info", "-f", "flamegraph-svg", path], 2, "", 20)


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "


def statements(folder):
    example = TESTDATA / "example" / "before.prof"
    for sql in (ENDLESS + "SELECT count(*) FROM c", ENDLESS + "SELECT max(x) FROM c ORDER BY 1",
                "SELECT count(*) FROM string a, string b, string c, string d, string e"):
        expect(sql, ["query", "--timeout", "0.5", example, sql], 2, "--timeout", 20)
    if not os.environ.get("SANITIZE"):
        for sql in (ENDLESS + "SELECT x FROM c", ENDLESS + "SELECT group_concat(hex(zeroblob(100000))) FROM c",
                    "SELECT replace(hex(zeroblob(100000000)), '0', 'abcdefghij')"):
            expect(sql, ["query", "--max-memory", "100M", "--timeout", "10", example, sql], 2, "profkit: ")
    for sql in ("ATTACH 'x.db' AS x", "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT writefile('x', 'y')",
                "SELECT fts3_tokenizer('simple')", "PRAGMA trusted_schema = ON", "PRAGMA database_list; VACUUM INTO 'x.db'",
                "SELECT * FROM pragma_journal_mode('off')", "SELECT edit('x')", "SELECT * FROM fsdir('/')", "DETACH main",
                "CREATE TEMP VIEW v AS SELECT 1", "REPLACE INTO run(run) VALUES (1)", "SELECT * FROM csv('/etc/passwd')"):
        expect(sql, ["query", example, sql], 2, "SQL: ")


PLANTED = [  # SQL that makes a store hostile, and whether it may still be read
    f"CREATE VIEW bomb AS {ENDLESS} SELECT x FROM c",
    f"DROP VIEW path; CREATE VIEW path AS {ENDLESS} SELECT x AS run, x AS node, 0 AS depth, '' AS path FROM c",
    f"DROP VIEW function; CREATE VIEW function AS {ENDLESS} SELECT x AS run FROM c",
    "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM cost; END",
    "CREATE TRIGGER t BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'no'); END",
    "UPDATE string SET text = zeroblob(50000000) WHERE id = 1",
    "UPDATE string SET text = CAST(zeroblob(50000000) AS TEXT) WHERE id = 1",
    "DROP TABLE meta; CREATE TABLE meta(run, key, value AS (abs(random())))",
    "CREATE INDEX planted ON node(abs(frame)) WHERE frame > 0",
    "CREATE TABLE other(x CHECK (x IN (SELECT 1)))" ,
    "DROP TABLE frame", "DROP TABLE run", "DROP TABLE string",
    "ALTER TABLE node ADD COLUMN frame2 INT GENERATED ALWAYS AS (frame + 1)",
    "UPDATE run SET label = zeroblob(1000)", "UPDATE node SET parent = 1000000000000", "UPDATE cost SET self = 1e300",
]


def stores(folder):
    """Read through every door: a message or the profile, in time."""
    good = folder / "good.db"
    subprocess.run([PROFKIT, "convert", "-q", TESTDATA / "chrome" / "samples.json", good], check=True, capture_output=True)
    for sql in PLANTED:
        bad = folder / "bad.db"
        bad.write_bytes(good.read_bytes())
        db = sqlite3.connect(bad)
        try:
            db.executescript(sql)
        except sqlite3.OperationalError:
            continue
        finally:
            db.close()
        doors(sql, bad)
    data = good.read_bytes()
    page = int.from_bytes(data[16:18], "big")
    for number in range(0, len(data) // page, 4 if os.environ.get("SANITIZE") else 1):
        bad = folder / "bad.db"
        at = number * page + (100 if number == 0 else 0)
        bad.write_bytes(data[:at] + b"\xff" * 12 + data[at + 12:])
        doors(f"page {number + 1} damaged", bad)


def doors(what, store):
    global count
    for args in (["info", store], ["query", store, "SELECT count(*) FROM path"], ["store", "list", store],
                 ["store", "add", store, TESTDATA / "example" / "before.prof"], ["store", "remove", store, "1"]):
        count += 1
        run = limited(args, 20)
        if run.returncode not in (0, 2) or (run.returncode == 2 and not run.stderr.startswith(b"profkit: ")):
            wrong.append(f"{what}: {args[0]}: status {run.returncode}: {run.stderr[-300:]!r}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        for part in (documents, statements, stores, compressed, zstd, members_of_gzip, pprof, perfetto, long_trace, gperftools, tachyon, others):
            part(pathlib.Path(temporary))
    print("\n".join(wrong))
    print(f"{count} cases, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not count)


if __name__ == "__main__":
    main()
