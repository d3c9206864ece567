#!/usr/bin/env python3
"""`profkit mcp` as a client sees it: the protocol, bounds, files outside of the root, bad messages,
calls that never end, several at once. Nothing of the protocol is taken from a library."""
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROFKIT = os.path.realpath(os.environ["PROFKIT"])
TESTDATA = pathlib.Path(os.path.realpath(os.environ["TESTDATA"]))
# Sanitizers need more memory than any limit of use, and time, and have a handler for SIGSEGV.
SANITIZED = bool(os.environ.get("SANITIZE"))
CRASH = signal.SIGKILL if SANITIZED else signal.SIGSEGV
TIMEOUT = "4" if SANITIZED else "1"
LIMITS = ["--max-memory", "0"] if SANITIZED else []
failed = []


def expect(what, good, said=""):
    if not good:
        failed.append(what)
        print(f"not ok: {what}\n    {str(said)[:1000]}")


class Server:
    def __init__(self, root, *options):
        self.process = subprocess.Popen([PROFKIT, "mcp", "--root", root, *LIMITS, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number = 0
        self.rest = b""

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method, params=None, **more):
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {}), **more}).encode() + b"\n")

    def ask(self, method, params=None):
        self.number += 1
        self.send(method, params, id=self.number)
        return self.number

    def answer(self, seconds=60):
        """The next message, or None if none comes."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                return None
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def call(self, tool, **arguments):
        number = self.ask("tools/call", {"name": tool, "arguments": arguments})
        got = self.answer()
        expect(f"{tool} {arguments}: an answer", got and got["id"] == number, got)
        return got

    def text(self, tool, **arguments):
        result = self.call(tool, **arguments)["result"]
        expect(f"{tool} {arguments}: no error", not result["isError"], result)
        return result["content"][0]["text"]

    def fails(self, what, tool, **arguments):
        result = self.call(tool, **arguments).get("result", {})
        text = result.get("content", [{"text": str(result)}])[0]["text"]
        expect(f"{tool} {arguments}: fails with '{what}'", result.get("isError") and what in text, result)

    def error(self, code, what):
        got = self.answer()
        expect(f"error {code} '{what}'", got and got.get("error", {}).get("code") == code and what in got["error"]["message"], got)
        return got

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(60)
        expect("it ends well", status == 0 and not self.process.stderr.read(), status)


def make_root(work):
    root = work / "root"
    (root / "sub").mkdir(parents=True)
    for name in ("before.prof", "after.prof", "orders.folded"):
        shutil.copy(TESTDATA / "example" / name, root)
    shutil.copy(TESTDATA / "example" / "before.prof", root / "sub" / "-odd name.prof")
    shutil.copy(TESTDATA / "example" / "before.prof", work / "outside.prof")
    os.symlink(work / "outside.prof", root / "link.prof")
    os.symlink(work, root / "sub" / "up")
    os.symlink("before.prof", root / "inner.prof")
    os.mkfifo(root / "pipe")
    (root / "broken.json").write_text('{"traceEvents": ]')
    subprocess.run([PROFKIT, "store", "add", "-q", root / "runs.db", root / "before.prof"], check=True)
    return root


def protocol(root):
    s = Server(root)
    for asked, given in (("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"),
                         ("2025-03-26", "2024-11-05"), ("1999-01-01", "2025-11-25")):
        s.ask("initialize", {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        result = s.answer()["result"]
        expect(f"version {asked}", result["protocolVersion"] == given and "tools" in result["capabilities"], result)
    s.send("notifications/initialized")
    s.ask("ping")
    expect("ping", s.answer()["result"] == {})
    s.ask("tools/list")
    tools = {t["name"]: t for t in s.answer()["result"]["tools"]}
    expect("tools", set(tools) == {"open", "brief", "hotspots", "callers", "lines", "diff", "query"}, tools)
    expect("schema", tools["callers"]["inputSchema"]["required"] == ["function", "file"], tools["callers"])
    s.ask("no/such")
    s.error(-32601, "no/such")
    s.send("ping", id="a \"text\" \u00fc")
    expect("an id that is a text", s.answer()["id"] == "a \"text\" \u00fc")
    s.raw(b'{"jsonrpc":"2.0","id":99,"result":{}}\n\n  \r\n')
    expect("answers are not answered", s.answer(0.2) is None)
    s.end()


def tools(root):
    s = Server(root)
    listed = s.text("open")
    expect("open lists", "before.prof" in listed and "sub/" in listed and "link.prof (symbolic link" in listed, listed)
    expect("open a folder", "odd name" in s.text("open", file="sub"))
    expect("open a file", "cProfile" in s.text("open", file="before.prof"))
    brief = s.text("brief", file="before.prof")
    plain = subprocess.run([PROFKIT, "brief", "before.prof"], cwd=root, capture_output=True, text=True, check=True).stdout
    expect("brief is that of the command", brief == plain, brief)
    expect("budget", len(s.text("brief", file="before.prof", budget=100)) < 400)
    expect("a path below the root that is absolute", "cProfile" in s.text("open", file=str(root / "before.prof")))
    expect("a name like an option", "cProfile" in s.text("brief", file="sub/-odd name.prof"))
    expect("hotspots", "price_of" in s.text("hotspots", file="before.prof", match="price", sort="total"))
    expect("callers", "total_by_customer" in s.text("callers", function="f42", file="before.prof"))
    filtered = s.text("hotspots", file="before.prof", focus="parse")
    expect("filters are named, and handles are of them", "with --focus parse" in filtered and "handles (f12) number" in filtered, filtered)
    expect("notes are in the result", "--focus matches nothing" in s.text("hotspots", file="before.prof", focus="no_such"))
    expect("callees", "price_of" in s.text("callers", function="total_by_customer", file="before.prof", callees=True))
    expect("diff", "price_from_index" in s.text("diff", before="before.prof", after="after.prof"))
    expect("query", "213" in s.text("query", file="before.prof", sql="select count(*) from function where id > 0"))
    expect("a comment of SQL", "1" in s.text("query", file="before.prof", sql="-- one\nselect 1"))
    expect("a store", "price_of" in s.text("brief", file="runs.db"))
    expect("a run of a store", "price_of" in s.text("brief", file="runs.db@1"))
    s.fails("line", "lines", file="orders.folded", function="no_such_function")
    s.fails("budget", "brief", file="before.prof", budget=10)
    s.fails("needs the argument 'file'", "brief")
    s.fails("no argument 'files'", "brief", files="x")
    s.fails("not a text", "brief", file=["before.prof"])
    s.fails("begins with '-'", "callers", function="--output=x", file="before.prof")
    s.fails("No such file", "brief", file="nothing.prof")
    s.fails("broken.json", "brief", file="broken.json")
    s.fails("is a folder", "brief", file="sub")
    s.fails("only reading is allowed", "query", file="before.prof", sql="attach 'x.db' as y")
    expect("nothing was written", not (root / "x.db").exists() and not (root / "x").exists())
    s.ask("tools/call", {"name": "rm", "arguments": {}})
    s.error(-32602, "unknown tool 'rm'")
    s.end()


def outside(root):
    s = Server(root)
    for path in ("../outside.prof", "/etc/passwd", str(root.parent / "outside.prof"), "sub/../../outside.prof",
                 "sub/../before.prof", str(root) + "/../outside.prof", str(root) + "x/before.prof"):
        s.fails("outside of the folder", "brief", file=path)
        s.fails("outside of the folder", "open", file=path)
        s.fails("outside of the folder", "diff", before="before.prof", after=path)
        s.fails("outside of the folder", "query", file=path + "@1", sql="select 1")
    for path in ("link.prof", "sub/up/outside.prof", "inner.prof"):
        s.fails("symbolic link", "brief", file=path)
    s.fails("symbolic link", "open", file="sub/up")
    s.fails("not a regular file", "brief", file="pipe")
    s.fails("", "brief", file="-")
    s.fails("", "brief", file="a\0b")
    s.end()


def named_by_profiles(work):
    """Sources that a profile names are read below the root only."""
    root = work / "sources"
    root.mkdir()
    secret = work / "secret.py"
    secret.write_text("password = 'open sesame'\n" * 3)
    (root / "inside.py").write_text("inside = 'of the root'\n" * 3)
    os.symlink(secret, root / "linked.py")
    stacks = "".join(f"f{i} ({name}:2) 10\n" for i, name in enumerate((str(secret), str(root / "inside.py"), str(root / "linked.py"),
                                                                       "../secret.py")))
    (root / "x.folded").write_text(stacks)
    s = Server(root)
    for tool in ("lines", "brief"):
        text = s.call(tool, file="x.folded", budget=5000)["result"]["content"][0]["text"]
        expect(f"{tool}: no source from outside", "sesame" not in text, text)
    expect("a source from inside", "of the root" in s.text("lines", file="x.folded", budget=5000))
    s.end()


def bad_messages(root):
    s = Server(root)
    for line in (b"not json", b"{", b'{"id":1,}', b'{"a":1} {"b":2}', b"\xff\xfe", b'"' + b"\\u00", b"[" * 100000, b"nul", b'{"id":NaN}'):
        s.raw(line + b"\n")
        got = s.error(-32700, "JSON")
        expect("no id", got and got["id"] is None, got)
    for line in (b"[]", b"7", b'"text"', b"null"):
        s.raw(line + b"\n")
        s.error(-32600, "")
    s.raw(b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"' + b"y" * (3 << 20) + b'"}\n')
    s.error(-32600, "1 MB")
    for line in (b'{"jsonrpc":"2.0","method":"ping"}', b'{"method":"notifications/cancelled","params":[]}',
                 b'{"method":"notifications/cancelled","params":{"requestId":12345}}', b'{"id":null,"error":{"code":1}}'):
        s.raw(line + b"\n")
    expect("what is no request is not answered", s.answer(0.3) is None)
    for given in (b'{"a":[1]}', b"null", b"true"):
        s.raw(b'{"jsonrpc":"2.0","id":' + given + b',"method":"ping"}\n')
        expect("no id that could be taken for another", s.error(-32600, "an id is")["id"] is None)
    for line, number in ((b"{}", None), (b'{"id":3}', 3), (b'{"method":{},"id":3}', 3), (b'{"method":"","id":3}', 3)):
        s.raw(line + b"\n")
        expect("the id of what has no method", s.error(-32600, "needs a method")["id"] == number)
    for byte in b'{"jsonrpc":"2.0","id":5,"method":"ping"}\n':
        s.raw(bytes([byte]))
    expect("a message in pieces", s.answer()["id"] == 5)
    s.raw(b'{"jsonrpc":"2.0","id":6,"method":"tools/call"}\n')
    s.error(-32602, "unknown tool")
    s.raw(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"open","arguments":[]}}\n')
    expect("arguments that are a list", s.answer()["id"] == 7)
    s.raw(b'{"jsonrpc":"2.0","id":8,"method":"ping"}')
    s.process.stdin.close()
    got = s.answer()
    expect("a last line without its end", got and got["id"] == 8, got)
    s.end()


ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c"


def children(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(stat.parent.name))
        except (OSError, ValueError):
            pass  # it has ended
    return found


def until(test, seconds=30):
    """Waits for what comes a moment later on a busy machine."""
    end = time.monotonic() + seconds
    while not (value := test()) and time.monotonic() < end:
        time.sleep(0.05)
    return value


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def endless(root):
    s = Server(root)
    first = s.ask("tools/call", {"name": "query", "arguments": {"file": "before.prof", "sql": ENDLESS}})
    second = s.ask("tools/call", {"name": "brief", "arguments": {"file": "before.prof"}})
    got = s.answer()
    expect("another call is answered meanwhile", got and got["id"] == second, got)
    s.send("notifications/cancelled", {"requestId": first, "reason": "enough"})
    expect("a cancelled call has no answer", s.answer(0.5) is None)
    expect("and no process", until(lambda: not children(s.process.pid)), children(s.process.pid))
    s.end()
    s = Server(root, "--timeout", TIMEOUT)
    begin = time.monotonic()
    s.fails(f"no result within {TIMEOUT} s", "query", file="before.prof", sql=ENDLESS)
    expect("the limit of time", time.monotonic() - begin < 20)
    many = [s.ask("tools/call", {"name": "query", "arguments": {"file": "before.prof", "sql": ENDLESS}}) for _ in range(6)]
    s.send("notifications/cancelled", {"requestId": many[5]})
    got = sorted(s.answer()["id"] for _ in many[:5])
    expect("those that wait end, too", got == many[:5], got)
    expect("the server lives", "price_of" in s.text("brief", file="before.prof"))
    s.fails("", "query", file="before.prof", sql="select zeroblob(4000000000)")
    s.end()
    s = Server(root)
    s.ask("tools/call", {"name": "query", "arguments": {"file": "before.prof", "sql": ENDLESS}})
    for child in until(lambda: children(s.process.pid)):
        os.kill(child, CRASH)
    got = s.answer()
    expect("a crash is an error", got["result"]["isError"] and f"signal {CRASH:d}" in got["result"]["content"][0]["text"], got)
    s.ask("tools/call", {"name": "query", "arguments": {"file": "before.prof", "sql": ENDLESS}})
    working = until(lambda: children(s.process.pid))
    s.process.kill()
    s.process.wait()
    expect("no process is left behind", working and until(lambda: not any(map(runs, working))), working)


def usage(root):
    for arguments in (["--root", str(root / "before.prof")], ["--root", str(root / "none")], ["x"], ["--budget", "3"], ["--timeout", "0"],
                      ["--max-memory", "2 buckets"]):
        done = subprocess.run([PROFKIT, "mcp", *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        expect(f"mcp {arguments} is refused", done.returncode == 2 and done.stderr.startswith(b"profkit: "), done)


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(os.path.realpath(work))
    below = make_root(folder)
    protocol(below)
    tools(below)
    outside(below)
    named_by_profiles(folder)
    bad_messages(below)
    endless(below)
    usage(below)
sys.exit(1 if failed else 0)
