#!/usr/bin/env python3
"""`profkit mcp` with the client of the official SDK, `mcp` of PyPI (1.x and 2.x): it agrees on a
version, lists the tools and calls each of them, one that is not there, two at once, one that never ends, and one that the
client cancels.
Skipped where the SDK is not installed: it needs Python 3.10, and pip install mcp."""
import os
import pathlib
import shutil
import sys
import tempfile

try:
    import anyio
    import mcp
    from mcp.client.stdio import stdio_client
except ImportError:
    print("skipped: python3 has no mcp (pip install mcp)")
    sys.exit(77)

PROFKIT = os.path.realpath(os.environ["PROFKIT"])
TESTDATA = pathlib.Path(os.path.realpath(os.environ["TESTDATA"]))
ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c"
CALLS = [
    ("open", {}, "before.prof"),
    ("open", {"file": "before.prof"}, "cProfile"),
    ("brief", {"file": "before.prof"}, "f42 price_of"),
    ("hotspots", {"file": "before.prof", "sort": "total"}, "main"),
    ("callers", {"function": "f42", "file": "before.prof"}, "total_by_customer"),
    ("callers", {"function": "f42", "file": "before.prof", "callees": False, "budget": 200}, "total_by_customer"),
    ("lines", {"file": "orders.lprof"}, "orders.py"),
    ("diff", {"before": "before.prof", "after": "after.prof"}, "price_from_index"),
    ("query", {"file": "before.prof", "sql": "select 6 * 7"}, "42"),
]
LIMITS = ["--max-memory", "0"] if os.environ.get("SANITIZE") else []
failed = []


def expect(what, good, said=""):
    if not good:
        failed.append(what)
        print(f"not ok: {what}\n    {said}")


def of(thing, *names):
    """An attribute, which the SDK writes in one way or the other, by its version."""
    return next(getattr(thing, name) for name in names if hasattr(thing, name))


async def call(session, name, arguments):
    result = await session.call_tool(name, arguments)
    return result.content[0].text, of(result, "isError", "is_error")


async def use(session):
    begun = await session.initialize()
    expect("version", of(begun, "protocolVersion", "protocol_version") >= "2024-11-05", begun)
    expect("name", of(begun, "serverInfo", "server_info").name == "profkit", begun)
    await session.send_ping()
    listed = {t.name: t for t in (await session.list_tools()).tools}
    expect("tools", set(listed) == {name for name, _, _ in CALLS}, listed)
    for name, arguments, part in CALLS:
        text, is_error = await call(session, name, arguments)
        expect(f"{name} {arguments}", part in text and not is_error, text)
    text, is_error = await call(session, "brief", {"file": "../before.prof"})
    expect("a path outside", is_error and "outside" in text, text)
    try:
        text, is_error = await call(session, "no_such_tool", {})
    except Exception as error:  # in which the SDK has the error of the protocol
        text, is_error = str(error), True
    expect("an unknown tool", is_error and "unknown tool" in text, text)
    with anyio.move_on_after(0.3) as scope:
        await call(session, "query", {"file": "before.prof", "sql": ENDLESS})
    expect("a client that waits no longer", scope.cancelled_caught)
    text, is_error = await call(session, "hotspots", {"file": "before.prof"})
    expect("the server lives", "price_of" in text and not is_error, text)
    order = []

    async def one(name, arguments):
        await call(session, name, arguments)
        order.append(name)

    async with anyio.create_task_group() as group:
        group.start_soon(one, "query", {"file": "before.prof", "sql": ENDLESS})
        await anyio.sleep(0.3)
        group.start_soon(one, "brief", {"file": "before.prof"})
    expect("two at once: the short one is first, the endless one ends", order == ["brief", "query"], order)


async def main(root):
    server = mcp.StdioServerParameters(command=PROFKIT, args=["mcp", "--root", root, "--timeout", "4", *LIMITS])
    async with stdio_client(server) as (read, write), mcp.ClientSession(read, write) as session:
        with anyio.fail_after(120):
            await use(session)


with tempfile.TemporaryDirectory() as work:
    for file in ("before.prof", "after.prof", "orders.lprof", "orders.py"):
        shutil.copy(TESTDATA / "example" / file, work)
    anyio.run(main, work)
sys.exit(1 if failed else 0)
