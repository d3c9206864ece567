#!/usr/bin/env python3
"""The tables that `convert --to json` writes have the values that `query` finds in them."""
import json
import os
import subprocess
import sys

PROFKIT = os.path.realpath(os.environ.get("PROFKIT", "build/profkit"))
TESTDATA = os.environ.get("TESTDATA", "testdata")
FILES = ("torch/gpu.json", "perf-script/default.perf", "memray/native.bin", "pprof/everything.pb.gz", "pyperf/bytes.json.gz")
failed = []


def output(*words):
    return subprocess.run([PROFKIT, *words, "-q"], stdout=subprocess.PIPE, check=True).stdout.decode()


def rows_of(path, statement):
    return [tuple(row.values()) for row in json.loads(output("query", "--format", "json", path, statement))["rows"]]


def same(written, found, texts):
    """SQL has the number of a text; an address is hexadecimal in JSON, and null instead of 0."""
    if isinstance(written, str) and isinstance(found, int):
        return texts.get(found) == written or written.startswith("0x") and int(written, 16) == found % 2 ** 64
    return written == found or written is None and found == 0


def compare_arguments(path, table):
    """The view has a row for each member of the objects, which the table keeps apart from the numbers in them."""
    written = []
    for values in table["rows"]:
        arg = dict(zip(table["columns"], values))
        owner, row, key, text = arg["owner"], arg["row"], arg.get("key"), arg["value"]
        for name, value in [(key, text)] if key else json.loads(text).items():
            value = int(value) if isinstance(value, bool) else value  # as in SQL
            written.append((owner, row, name, value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))))
    found = [(*row[:3], "null" if row[3] is None else row[3]) for row in rows_of(path, "select owner, row, key, value from argument")]
    if sorted(written) != sorted(found):
        failed.append("arg")
        print(f"not ok: {path}: arguments", sorted(set(written) ^ set(found))[:4])


for path in (os.path.join(TESTDATA, name) for name in sys.argv[1:] or FILES):
    texts = dict(rows_of(path, "select id, text from string"))
    tables = json.loads(output("convert", "--to", "json", path))["profiles"][0]
    for name, table in tables.items():
        columns = ", ".join('"%s"' % column for column in table["columns"])
        if name == "arg":
            compare_arguments(path, table)
            continue
        found = rows_of(path, f'select {columns} from "{name}"')
        good = len(found) == len(table["rows"])
        for row, other in zip(table["rows"], found):
            good &= len(row) == len(other) and all(same(a, b, texts) for a, b in zip(row, other))
        if not good:
            failed.append(name)
            print(f"not ok: {path}: {name}", *[p for p in zip(table["rows"], found) if list(p[0]) != list(p[1])][:3])
sys.exit(bool(failed))
