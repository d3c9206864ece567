#!/usr/bin/env python3
"""Every file of trace events in the corpus: read with the right numbers, or refused with the
right reason. The table of results is the test.

- Events are counted here once more from the JSON, and compared with the rows of profkit's tables.
- For each thread, self times add up to the time in which it has spans, worked out here.
- Perfetto's results (FILE.expected-perfetto.json): names, counts and sums of slices.
- speedscope's own snapshot of its samples; viztracer's flame graphs; totals of py-spy's files
  made by another program.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import csv
import fractions
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys

from corpus import corpus

SKIP = 77
PROFKIT = os.environ.get("PROFKIT", "./profkit")
LARGE = 40 << 20  # bytes beyond which Python would take too long

LOST = "[calls lost: buffer full]"
WHERE = ["cases/*.json*", "peers/TraceLens/**/*.json*", "real/*/*.json", "real/*/*.json.gz", "real/viztracer/*.html.gz", "real/viztracer/*.cvf",
         "peers/catapult/**/*", "peers/perfetto/**/*.json*",
         "peers/speedscope/sample/profiles/trace-event/*", "peers/viztracer/**/*.json*",
         "peers/kineto/**/*.json*", "peers/HolisticTraceAnalysis/**/*.json*",
         "peers/xprof/**/trace.json*", "peers/speedscope/sample/profiles/Chrome/*/*.json"]
RESULTS = re.compile(r"expected")  # outputs of other tools
# The list of events, or a member of every event.
TRACE = re.compile(rb'"(traceEvents|ph)\\?"\s*:')
# What is no trace, and what profkit says of it.
REFUSED = {
    "peers/HolisticTraceAnalysis/tests/data/execution_trace/benchmark_simple_add_et.json.gz":
        "JSON of another kind",
    "peers/catapult/tracing/test_data/android_systrace.txt": "plain text",
    "peers/catapult/tracing/test_data/dashboard_test_points.json": "JSON of another kind",
    "peers/catapult/tracing/test_data/google_cloud_trace.json": "JSON of another kind",
    "peers/catapult/tracing/test_data/trivial_systrace.html": "an HTML page",
    "real/viztracer/ex3-tail.cvf": "viztracer --decompress",
}
# Files of which Perfetto says something else for so many names of slices, and why.
PERFETTO_DIFFERS = {
    "calc_cpu":
        ("the span of the recording is an instant here", 1),
    "case-async-legacy":
        ("it does not read S, T, p and F", 3),
    "case-be-end-before-begin-same-ts":
        ("an end before its begin, both at one time: the span never ends there", 1),
    "case-names-odd-nobackslash":
        ("it does not resolve \\n and \\t in names", 4),
    "case-objects-nod":
        ("it does not read N, O and D", 1),
    "case-x-child-longer-by-1us":
        ("it drops what overlaps", 1),
    "case-x-no-dur":
        ("it drops X without dur", 2),
    "case-x-overlap-partial":
        ("it drops what overlaps", 1),
    "ddp2_allreduce-rank0":
        ("the span of the recording is an instant here", 1),
    "ddp2_allreduce-rank1":
        ("the span of the recording is an instant here", 1),
    "gpu_calc":
        ("the span of the recording is an instant here", 1),
    "jax_train_nopython.perfetto_trace":
        ("it does not resolve \\u in names", 1),
    "jax_train_nopython.trace":
        ("it does not resolve \\u in names", 1),
    "loader_tb-cycle0.pt.trace":
        ("the span of the recording is an instant here", 1),
    "odd_names":
        ("the span of the recording is an instant here", 1),
    "peers-catapult__flow.json":
        ("spans without an end count as -1 ns", 2),
    "peers-catapult__picture_trace.json":
        ("it does not read N, O and D", 1),
    "peers-catapult__simple_trace_gz.gz":
        ("it ends what never ends with what is around it", 2),
    "peers-catapult__thread_time_visualisation.json.gz":
        ("other ends of misnested spans", 14),
    "peers-catapult__traceviewify.json":
        ("other ends of misnested spans", 6),
    "peers-catapult__webview.json.gz":
        ("it does not read N, O, D, S and F, and fails at one event", 7),
    "peers-speedscope__Chrome__116__Trace-20230603T221323.json":
        ("it does not read N, O and D", 2),
    "peers-speedscope__Chrome__65__simple-timeline.json":
        ("it does not read S and F; spans without dur; samples of V8 are no event", 17),
    "peers-speedscope__Chrome__66__worker.json":
        ("it does not read S and F; spans without dur; samples of V8 are no event", 12),
    "peers-speedscope__Chrome__70__worker.json":
        ("it does not read S and F; spans without dur", 12),
    "peers-speedscope__trace-event__end-non-top-of-stack.json":
        ("what an end further down closes has no end there", 1),
    "peers-speedscope__trace-event__simple-object.json":
        ("it fails at one event", 1),
    "peers-speedscope__trace-event__simple-partial.json":
        ("it fails at one event", 1),
    "peers-speedscope__trace-event__simple.json":
        ("it fails at one event", 1),
    "t22-calc_cpu":
        ("the span of the recording is an instant here", 1),
    "t22-train_steps":
        ("the span of the recording is an instant here", 1),
    "train_steps":
        ("the span of the recording is an instant here", 1),
}


def query(path, sql):
    run = subprocess.run([PROFKIT, "query", "-q", "--format", "csv", str(path), sql],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace").strip())
    return list(csv.reader(io.StringIO(run.stdout.decode(errors="replace"), newline="")))[1:]


def content(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def is_trace(path):
    """Told from the text alone, so that a trace that profkit refuses is a failure."""
    return TRACE.search(content(path)) is not None


def load(path):
    """The events of the file, and its top-level object; None if Python cannot read it."""
    data = content(path)
    if len(data) > LARGE:
        return None, None
    if data[:1] == b"<": # a page with the trace in its script
        data = data[max(data.find(b'{"traceEvents"'), 0):]
    try:
        top, _ = json.JSONDecoder(parse_float=fractions.Fraction).raw_decode(data.decode().strip())
    except ValueError:
        return None, None
    if isinstance(top, list):
        return [e for e in top if isinstance(e, dict)], {}
    return [e for e in top.get("traceEvents", []) if isinstance(e, dict)], top


def number(value):
    try:
        return isinstance(value, (int, float, str, fractions.Fraction)) and fractions.Fraction(value)
    except ValueError:
        return False


def is_number(value):
    return number(value) is not False and not isinstance(value, bool)


def count_events(events):
    """(spans, instants): how many rows the events make."""
    spans = instants = 0
    torch = any(e.get("cat") in ("cpu_op", "Operator", "cuda_runtime") for e in events)
    for e in events:
        phase = (e.get("ph") or " ")[:1]
        if not is_number(e.get("ts")):
            continue
        if e.get("cat") == "py-spy" and not e["args"]["filename"]:
            continue
        if phase == "X":
            whole = is_number(e.get("dur", e.get("tdur")))
            if torch and e.get("cat") == "Trace":
                instants += 1
            elif whole:
                spans += 1
            elif e.get("dur") is None:
                instants += 1
        elif phase == "B":
            spans += 1
        elif phase in "iIRNODn()c" and not (phase in "iI" and e.get("name") == "CpuProfile"):  # samples
            instants += 1
    return spans, instants


def count_counters(events):
    rows = 0
    for e in events:
        if (e.get("ph") or " ")[:1] == "C" and is_number(e.get("ts")):
            rows += sum(isinstance(v, bool) or is_number(v) for v in (e.get("args") or {}).values())
    return rows


def is_mixed(events):
    """Whether py-spy wrote samples of several processes on the stack of one tid."""
    pids = collections.defaultdict(set)
    for e in events:
        if e.get("cat") == "py-spy":
            pids[e["tid"]].add(e["pid"])
    return any(len(p) > 1 for p in pids.values())


def check_rows(path, events, failures):
    if is_mixed(events):
        return
    found = [int(n) for n in query(
        path, "SELECT (SELECT count(*) FROM span s JOIN thread t ON t.id = s.thread LEFT JOIN "
        "string n ON n.id = t.name WHERE ifnull(n.text, '') NOT LIKE 'async%' OR t.tid IS NOT "
        "NULL), (SELECT count(*) FROM instant), (SELECT count(*) FROM counter)")[0]]
    found[0] -= int(query(path, "SELECT count(*) FROM span s JOIN node n ON n.id = s.node JOIN location l "
                          f"ON l.id = n.location JOIN functions f ON f.id = l.function AND f.name = '{LOST}'")[0][0])
    spans, instants = count_events(events)
    wanted = [spans, instants, count_counters(events)]
    if any(e.get("name") == "[memory]" for e in events):
        wanted[2] = found[2]  # made of instants
    if found != wanted:
        failures.append(f"{path}: spans, instants, counters {found}, not {wanted}")


def covered(spans):
    """Time in which there is any of the spans (begin, duration)."""
    total, end = 0, -math.inf
    for begin, duration in sorted(spans):
        last = begin + duration
        if last > end:
            total += last - max(begin, end)
            end = last
    return total


def check_self_times(path, failures):
    spans = collections.defaultdict(list)
    for thread, time, duration in query(path, "SELECT thread, time, duration FROM span"):
        spans[thread].append((int(time), int(duration)))
    cost = {thread: int(total) for thread, total in query(
        path, "SELECT c.thread, sum(c.self) FROM cost c JOIN metric m ON m.id = c.metric JOIN "
        "string s ON s.id = m.name WHERE (m.exactness = 'exact' OR NOT EXISTS (SELECT 1 FROM "
        "sample)) AND s.text IN ('time', 'gpu_time') GROUP BY 1")}
    for thread, rows in spans.items():
        if thread in cost and covered(rows) != cost[thread]:
            failures.append(f"{path}: thread {thread}: self times add up to {cost[thread]}, "
                            f"not to {covered(rows)}")


def original_name(producer, name, module, file, line, kind):
    """As it was written before profkit took it apart."""
    if producer.startswith("XLA") and kind in ("python", "builtin") and not file:
        return f"${module or '<unknown>'} {name}"
    if not file:
        return name
    if producer.startswith("viztracer"):
        return f"{name} ({file}:{line})"
    if producer.startswith("XLA"):
        return f"${file}:{line} {name}"
    return f"{file}({line or 0}): {name}"


def names_of(path):
    """name -> (count, total): spans and, as Perfetto has it, instants."""
    producer = query(path, "SELECT ifnull(s.text, '-') FROM run r LEFT JOIN string s ON s.id = r.producer")[0][0]
    rows = query(path, "SELECT f.name, f.module, f.file, f.line, f.kind, count(*), sum(s.duration) FROM span s JOIN "
                 "node n ON n.id = s.node JOIN location l ON l.id = n.location JOIN functions f ON "
                 "f.id = l.function GROUP BY f.id")
    rows += [[name, "", "", "", "", count, 0] for name, count in query(
        path, "SELECT ifnull(s.text, '-'), count(*) FROM instant i LEFT JOIN string s ON s.id = i.name "
        "GROUP BY 1")]
    sums = collections.defaultdict(lambda: (0, 0))
    for name, module, file, line, kind, count, total in rows:
        name = original_name(producer, name, module, file, line, kind) or "(no name)"
        sums[name] = (sums[name][0] + int(count), sums[name][1] + int(total))
    return dict(sums)


def perfetto_input(folder, root, name):
    if name.startswith("peers-"):
        project, _, rest = name[6:].partition("__")
        found = sorted(root.glob(f"peers/{project}/**/{rest.replace('__', '/')}"))
        return found[0] if found else None
    for suffix in (".json", ".json.gz"):
        if (folder / (name + suffix)).exists():
            return folder / (name + suffix)
    return None


def differing(path, expected):
    theirs = {}
    for row in expected["slices_by_name"]["rows"]:
        name = (row[0] or "(no name)").replace("[No name]", "(no name)")
        theirs[name] = (row[1], row[2])
    mine = names_of(path)
    different = {n for n in theirs if mine.get(n) != theirs[n]}
    if len(theirs) < 150:
        different |= set(mine) - set(theirs)
    return different, mine, theirs


def check_perfetto(root, failures):
    checked = 0
    for file in sorted(root.glob("real/*/*.expected-perfetto.json")):
        name = file.name[:-len(".expected-perfetto.json")]
        path = perfetto_input(file.parent, root, name)
        if name.startswith("proto-") or not path or str(path.relative_to(root)) in REFUSED:
            continue
        different, mine, theirs = differing(path, json.loads(file.read_text()))
        reason, count = PERFETTO_DIFFERS.get(name, ("", 0))
        checked += 1
        if len(different) != count:
            some = {n: (mine.get(n), theirs.get(n)) for n in sorted(different)[:5]}
            failures.append(f"{name}: {len(different)} names differ from Perfetto's, not {count} "
                            f"({reason}): {some}")
    return checked


# speedscope/src/import/__snapshots__/trace-event.test.ts.snap: self and total in us; by thread where
# names come again.
SPEEDSCOPE = {
    "bex-interaction": "A 0/2 B 2/2 D 0/2 C 2/2 F 1/2 E 1/1 G 1/2 H 1/1",
    "event-reordering-name-match": "alpha 9/10 beta 0/1 gamma 1/1",
    "hermes-multiple-frames": "[root] 4/14 beta 7/7 gamma 3/9",
    "matching-x": "alpha 8/10 beta 1/2 gamma 1/2",
    "mismatched-args": "A 10/10",
    "multiprocess": "alpha 1/1 beta 1/1 gamma 1/1 delta 1/1 epsilon 1/1 phi 1/1 zeta 1/1 eta 1/1",
    "multi-thread-with-samples": "[root] 20770/34096 function1 13326/13326 [root_thread_2] "
                                 "30770/54096 function3 13326/13326 function4 10000/10000",
    "simple-with-samples": "[root] 30779/64710 [GC_Young_Gen] 10000/10000",
    "must-retain-original-order": "A 2/6 B 2/4 C 2/2 X 3/3",
    "only-begin-events": "A 1/2 B 1/1 C 0/0",
    "simple-hermes": "[root] 2/14 beta 12/12",
    "simple-object": "alpha 2/14 beta 8/12 (no_name) 4/4",
    "simple-partial": "alpha 2/14 beta 3/12 gamma 5/5 epsilon 4/4",
    "simple-partial-whitespace": "alpha 2/14 beta 3/12 gamma 5/5 epsilon 4/4",
    "simple": "alpha 2/14 beta 3/12 gamma 5/5 epsilon 4/4",
    "too-many-end-events": "alpha 2/14 beta 12/12",
    "x-events-matching-end": "alpha 12/20 beta 4/6 gamma 4/6",
    "x-events-matching-start": "alpha 12/20 beta 4/6 gamma 4/6",
    "zero-duration-events": "A 10/10 B 0/0 C 0/0 D 0/0",
    # speedscope ignores an end that is not that of the innermost span; here it closes what is
    # above, too, and what never ends, ends when its thread was last seen.
    "end-non-top-of-stack": "A 1/10 B 9/9 Z 1/1",
    "mismatched-name": "alpha 10/10",
    "out-of-order-unbalanced-name": "alpha 1/9 beta 8/8",
    "unbalanced-name": "alpha 1/9 beta 8/8",
}


def check_speedscope(root, failures):
    folder = root / "peers/speedscope/sample/profiles/trace-event"
    for name, frames in SPEEDSCOPE.items():
        path = folder / f"{name}.json"
        words = frames.split()
        wanted = {n.replace("_", " "): tuple(1000 * int(x) for x in v.split("/"))
                  for n, v in zip(words[::2], words[1::2])}
        found = {row[0]: (int(row[1]), int(row[2])) for row in query(
            path, "SELECT function, self, total FROM function_cost WHERE metric = 'time'")}
        if any(found.get(n) != v for n, v in wanted.items()):
            failures.append(f"{name}: {found}, speedscope has {wanted}")
    return len(SPEEDSCOPE)


def viztracer_tree(path):
    """(thread, names from the root) -> count, total, self in ns."""
    nodes, lost, tree = {0: ()}, set(), collections.defaultdict(lambda: [0, 0, 0])
    for node, parent, name, file, line in query(
            path, "SELECT n.id, ifnull(n.parent, 0), f.name, f.file, f.line FROM node n JOIN "
            "location l ON l.id = n.location JOIN functions f ON f.id = l.function ORDER BY n.id"):
        name = f"{name} ({file}:{line})" if file else name
        # What was lost is self time of the function above it in viztracer.
        nodes[int(node)] = nodes[int(parent)] + ((name,) if name != LOST else ())
        if name == LOST:
            lost.add(int(node))
    where = "SELECT p.pid, t.tid, s.node, count(*), sum(s.duration) FROM span s JOIN thread t ON " \
            "t.id = s.thread JOIN process p ON p.id = t.process GROUP BY 1, 2, 3"
    for pid, tid, node, count, total in query(path, where):
        if int(node) in lost:
            continue
        row = tree[f"p{pid}_t{tid}", nodes[int(node)]]
        row[0] += int(count)
        row[1] += int(total)
    where = "SELECT p.pid, t.tid, c.node, sum(c.self) FROM cost c JOIN thread t ON t.id = c.thread " \
            "JOIN process p ON p.id = t.process GROUP BY 1, 2, 3"
    for pid, tid, node, self_time in query(path, where):
        tree[f"p{pid}_t{tid}", nodes[int(node)]][2] += int(self_time)
    return tree


def check_viztracer(root, failures):
    checked = 0
    for file in sorted(root.glob("real/viztracer/*.expected-flamegraph.tsv*")):
        name = file.name.split(".expected-")[0]
        path = next(p for p in (file.parent / (name + s) for s in (".json", ".json.gz")) if p.exists())
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode()
        tree, paths, wrong = viztracer_tree(path), {}, []
        for line in text.splitlines()[1:]:
            thread, node, parent, _, count, total, self_time, frame = line.split("\t")
            paths[thread, node] = paths.get((thread, parent), ()) + (frame,)
            row = tree.pop((thread, paths[thread, node]), None)
            slack = 10 * int(count) + 20
            if not row or row[0] != int(count) or abs(row[1] - 1000 * float(total)) > slack or \
                    abs(row[2] - 1000 * float(self_time)) > 3 * slack:
                wrong.append((thread, frame, row, count, total, self_time))
        if wrong or tree:
            failures.append(f"{name}: {len(wrong)} paths differ from viztracer's, {len(tree)} are "
                            f"not there: {wrong[:3]} {list(tree)[:2]}")
        checked += 1
    return checked


def check_py_spy(root, failures):
    checked = 0
    for file in sorted(root.glob("real/py-spy/*.chrometrace.json.expected-totals.tsv")):
        path = file.parent / file.name[:-len(".expected-totals.tsv")]
        if is_mixed(load(path)[0]):
            continue
        wanted = {}
        for line in file.read_text().splitlines():
            if not line.startswith("#") and "\tthread (" not in line and "\tprocess " not in line:
                self_time, total, frame = line.split("\t")
                wanted[frame] = int(self_time)
        found = collections.defaultdict(int)
        for name, module, place, line, total in query(
                path, "SELECT f.name, f.module, f.file, l.line, sum(c.self) FROM cost c JOIN node n "
                "ON n.id = c.node JOIN location l ON l.id = n.location JOIN functions f ON f.id = l.function "
                "GROUP BY f.id, l.line"):
            place = place or module
            frame = f"{name} ({place}:{line})" if line else f"{name} ({place})" if place else name
            found[frame] += int(total) // 1000
        different = {f: (found.get(f), v) for f, v in wanted.items() if found.get(f, 0) != v}
        if different or sum(found.values()) != sum(wanted.values()):
            failures.append(f"{path.name}: {len(different)} frames differ: "
                            f"{list(different.items())[:4]}")
        checked += 1
    return checked


def main():
    root = corpus()
    if not root.is_dir():
        print("skipped: no corpus (PROFKIT_CORPUS)")
        return SKIP
    failures = []
    files = sorted({p for where in WHERE for p in root.glob(where)
                    if p.is_file() and not RESULTS.search(str(p.relative_to(root)))})
    read = 0
    for path in files:
        name = str(path.relative_to(root))
        if name not in REFUSED and not is_trace(path):
            continue  # JSON of another format
        try:
            query(path, "SELECT 1")
        except ValueError as error:
            if REFUSED.get(name, "\0") not in str(error):
                failures.append(f"{name}: {error}")
            continue
        if name in REFUSED:
            failures.append(f"{name}: read, but is no trace")
        read += 1
        if os.environ.get("SANITIZE"):
            continue  # numbers were compared without
        events, _ = load(path)
        if events is None:
            continue
        check_rows(path, events, failures)
        check_self_times(path, failures)
    print(f"{read} files read, {len(REFUSED)} refused")
    print(f"{check_perfetto(root, failures)} compared with Perfetto")
    print(f"{check_speedscope(root, failures)} compared with speedscope")
    print(f"{check_viztracer(root, failures)} compared with viztracer")
    print(f"{check_py_spy(root, failures)} compared with totals of py-spy's files")
    for failure in failures:
        print(failure[:500])
    return 1 if failures or not read else 0


if __name__ == "__main__":
    sys.exit(main())
