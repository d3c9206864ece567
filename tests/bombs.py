#!/usr/bin/env python3
"""Files that unpack to very much, XML that refers to others or to itself, SQL and stores that never end: profkit stops
by itself, in little memory, with a message and status 2, says how to go on, and neither reaches the network nor other
files.
"""
import gzip
import http.server
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading

PROFKIT = os.environ["PROFKIT"]
TESTDATA = pathlib.Path(os.environ["TESTDATA"])
MEMORY = 3 << 30  # of addresses: text that is one line of 1 GB is in memory twice
COMMENT = b"# ".ljust((1 << 20) - 1) + b"\n"
wrong = []
count = 0


def limit():
    if not os.environ.get("SANITIZE"):  # sanitizers take terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def expect(what, args, status, message, seconds=60):
    global count
    count += 1
    try:
        run = subprocess.run([PROFKIT, *map(str, args)], capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds,
                             preexec_fn=limit)
    except subprocess.TimeoutExpired:
        wrong.append(f"{what}: not done after {seconds} s")
        return b""
    if run.returncode != status or message.encode() not in run.stderr:
        wrong.append(f"{what}: status {run.returncode}: {run.stderr[-300:]!r}")
    return run.stdout


def members(size, of=b"\0"):
    """gzip members that unpack to `size` bytes or less, all the same."""
    one = gzip.compress(of * ((100 << 20) // len(of)), 9, mtime=0)
    return one * (size // (100 << 20))


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
                run = subprocess.run([PROFKIT, "convert", *format_args, "--to", "json", path, "-"], capture_output=True, timeout=60)
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
            expect(sql, ["query", "--max-memory", "500M", "--timeout", "10", example, sql], 2, "profkit: ")
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
    for number in range(0, len(data) // page):
        bad = folder / "bad.db"
        at = number * page + (100 if number == 0 else 0)
        bad.write_bytes(data[:at] + b"\xff" * 12 + data[at + 12:])
        doors(f"page {number + 1} damaged", bad)


def doors(what, store):
    global count
    for args in (["info", store], ["query", store, "SELECT count(*) FROM path"], ["store", "list", store],
                 ["store", "add", store, TESTDATA / "example" / "before.prof"], ["store", "remove", store, "1"]):
        count += 1
        try:
            run = subprocess.run([PROFKIT, *map(str, args)], capture_output=True, timeout=20, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            wrong.append(f"{what}: {args[0]}: not done after 20 s")
            continue
        if run.returncode not in (0, 2) or (run.returncode == 2 and not run.stderr.startswith(b"profkit: ")):
            wrong.append(f"{what}: {args[0]}: status {run.returncode}: {run.stderr[-300:]!r}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        for part in (documents, statements, stores, compressed):
            part(pathlib.Path(temporary))
    print("\n".join(wrong))
    print(f"{count} cases, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not count)


if __name__ == "__main__":
    main()
