#!/usr/bin/env python3
"""Each number of the fixtures replaced by 0, -1, 2^31, 2^63, 10^400, and each string by a hostile
one (of large files: as many as time allows, spread evenly): a message or a sound profile comes of
it, in bounded time and memory. Cases of one file are read by one process at a time, fuzz/replay, and
several files at once.

Numbers and strings are those of the text; of pstats, of the objects that marshal makes of it; of
stores, every kind of value in every column; of austin's binary files, numbers and strings as it writes
them, put where any byte is.
"""
import concurrent.futures
import contextlib
import marshal
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile

NUMBERS = [b"0", b"-1", b"2147483648", b"9223372036854775808", b"1" + b"0" * 400]
STRINGS = [b'""', b'"\\u0000\\ud800\\u001b[31m"', b'"' + b"long" * 20000 + b'"', b'"</script>]]>=1;\\n\\""', b"null",
           b"[[[[{}]]]]"]
MOST = int(os.environ.get("SWEEP_PLACES", "30"))  # of each kind in a file
MEMORY = 2 << 30
SECONDS = int(60 * float(os.environ.get("CK_TIMEOUT_MULTIPLIER", 1)))  # for 64 MB of cases
REPLAY = str(pathlib.Path(os.environ["PROFKIT"]).parent / "fuzz" / "replay")
TOKEN = re.compile(rb'(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)')
VALUES = [0, -1, 2**31, 2**63 - 1, -2**63, 1.5, float("inf"), 10**400]
NAMES = ["", "\0\x1b[31m", "long" * 20000, "</script>]]>=1;\n\"", None, b"\xff\xfe\0"]


def spread(items):
    step = max(1, -(-len(items) // MOST))
    return items[::step]


def text_cases(data):
    tokens = list(TOKEN.finditer(data))
    inside = [(t.start() + m.start(), t.start() + m.end())
              for t in tokens if t["string"] for m in re.finditer(rb"\d+", t.group())]
    numbers = spread([t.span() for t in tokens if t["number"]]) + spread(inside)
    for begin, end in numbers:
        for value in NUMBERS:
            yield data[:begin] + value + data[end:]
    for begin, end in spread([t.span() for t in tokens if t["string"]]):
        for value in STRINGS:
            yield data[:begin] + value + data[end:]


def leaves(thing, path=()):
    """The ways to all numbers and strings: indexes of items, in dicts of keys and values in turn."""
    if isinstance(thing, dict):
        thing = [x for pair in thing.items() for x in pair]
    if isinstance(thing, (tuple, list)):
        for i, item in enumerate(thing):
            yield from leaves(item, path + (i,))
    else:
        yield path


def replaced(thing, path, value):
    if not path:
        return value
    if isinstance(thing, dict):
        flat = [x for pair in thing.items() for x in pair]
        flat[path[0]] = replaced(flat[path[0]], path[1:], value)
        return dict(zip(flat[::2], flat[1::2]))
    return type(thing)(replaced(x, path[1:], value) if i == path[0] else x for i, x in enumerate(thing))


def pstats_cases(data):
    try:
        whole = marshal.loads(data)
    except (ValueError, EOFError, TypeError):
        return
    for path in spread(list(leaves(whole))):
        for value in VALUES + NAMES + [(), {}, [[]]]:
            with contextlib.suppress(TypeError):  # no key of a dict
                yield marshal.dumps(replaced(whole, path, value), 2)


def store_cases(data):
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        def value_in(table, column, row, value):
            pathlib.Path(file.name).write_bytes(data)
            db = sqlite3.connect(file.name)
            try:
                db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE ("run", "{column}") IN '
                           f'(SELECT "run", "{column}" FROM "{table}" LIMIT 1 OFFSET ?)', (value, row))
                db.commit()
            except sqlite3.IntegrityError:
                return None
            finally:
                db.close()
            return pathlib.Path(file.name).read_bytes()

        pathlib.Path(file.name).write_bytes(data)
        db = sqlite3.connect(file.name)
        try:
            tables = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                      if not name.startswith("sqlite_")]
            columns = [(t, c[1], r) for t in tables for c in db.execute(f'PRAGMA table_info("{t}")')
                       for r in (0, 3) if db.execute(f'SELECT count(*) FROM "{t}"').fetchone()[0] > r]
        except sqlite3.DatabaseError:
            return
        finally:
            db.close()
        for place in spread(columns):
            for value in [v for v in VALUES if v != 10**400] + NAMES + ["1" + "0" * 400]:
                case = value_in(*place, value)
                if case:
                    yield case


def varint(value):
    """As MOJO has them: six bits and a sign, then seven bits a byte."""
    first, value = (0x40 if value < 0 else 0) | abs(value) & 0x3F, abs(value) >> 6
    rest = bytearray()
    while value:
        rest.append(value & 0x7F)
        value >>= 7
    return bytes(b | 0x80 for b in bytes([first]) + rest[:-1]) + rest[-1:] if rest else bytes([first])


def mojo_cases(data):
    for at in spread(list(range(3, len(data)))):
        end = at
        while end < len(data) and data[end] & 0x80:
            end += 1
        for value in (0, -1, 2**31, 2**63, 10**400):
            yield data[:at] + varint(value) + data[end + 1:]
        end = data.find(b"\0", at)
        for name in NAMES:
            text = name.encode() if isinstance(name, str) else name or b""
            yield data[:at] + text + data[end if end >= 0 else len(data):]


CASES = {"pstats": pstats_cases, "store": store_cases, "austin-mojo": mojo_cases}


def limit():
    if not os.environ.get("SANITIZE"):  # sanitizers take terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def batches(cases):
    """Cases in lists of at most 64 MB, so that disks and limits of time do."""
    batch, size = [], 0
    for case in cases:
        batch.append(case)
        size += len(case)
        if size > 64 << 20:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def replay_batch(path, reader, batch):
    """What is wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(batch):
            pathlib.Path(folder, f"{number:06}").write_bytes(data)
        run = subprocess.run([REPLAY, "-f", reader, folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=limit)
        if run.returncode == 0:
            return None
        kept = pathlib.Path(f"sweep-{reader}-{path.name}").absolute()
        last = [line for line in run.stderr.decode(errors="replace").splitlines() if line.startswith(folder)]
        if last:
            kept.write_bytes(pathlib.Path(last[-1]).read_bytes())
        return f"{path}: status {run.returncode}; see {kept}\n{run.stderr[-1500:].decode(errors='replace')}"


def sweep(job):
    """How many cases, and what is wrong or None."""
    path, reader = job
    count = 0
    for batch in batches(CASES.get(reader, text_cases)(path.read_bytes())):
        problem = replay_batch(path, reader, batch)
        count += len(batch)
        if problem:
            return count, problem
    return count, None


def fixtures():
    """(file, reader), the largest first: they take longest."""
    root = pathlib.Path(os.environ["TESTDATA"])
    known = {}
    for path in sorted(root.rglob("*"), key=lambda p: (-p.stat().st_size, p)):
        reader = path.relative_to(root).parts[0]
        if not path.is_file() or path.suffix in (".dump", ".py", ".sh", ".md") or path.name == "SOURCE":
            continue
        if reader not in known:
            known[reader] = subprocess.run([os.environ["PROFKIT"], "formats", reader], capture_output=True).returncode == 0
        # marshal may crash on damaged files, and on code objects of other versions.
        crashes = reader == "pstats" and (path.parent.name == "bad" or path.name.startswith("code-"))
        if known[reader] and not crashes:
            yield path, reader


def main():
    jobs = list(fixtures())
    counts, wrong = {}, []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for (_, reader), (count, problem) in zip(jobs, pool.map(sweep, jobs)):
            counts[reader] = counts.get(reader, 0) + count
            if problem:
                wrong.append(problem)
    print("\n".join(wrong))
    print(", ".join(f"{count} {reader}" for reader, count in sorted(counts.items())))
    print(f"{len(jobs)} files, {sum(counts.values())} cases, {len(wrong)} broken")
    sys.exit(bool(wrong) or not jobs)


if __name__ == "__main__":
    main()
