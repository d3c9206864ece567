#!/usr/bin/env python3
"""Parts of real files, added, are the merge of the whole files, for each format that the corpus has several small files of: sums
have the same bytes in any order and grouping; functions have the sums of the single files, and statistics of their values;
processes, threads, ranks, GPUs and steps of each run have the numbers of its file.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
# pylint: disable=wrong-import-position
from corpus import look_at_corpus, query

MOST_FILES, MOST_OF_A_FOLDER, LARGEST, LEAST_FORMATS = 3, 3, 700_000, 30
OTHER = {".md", ".py", ".png", ".c", ".sh", ".html", ".csv", ".dot"}
# Files that are made to take long.
ATTACKS = "attack"
SKETCH = 0.00994  # model/part/sketch.h
# Rows that a sum keeps for each of its runs.
OF_RUNS = {
    "worker": "m.digest, w.by, worker, place, step, n.text, process, thread, u.text, timed, w.start, end, useful, overhead, startup, "
              "tail, wait, samples, tasks from worker w join string u on u.id = w.unit left join string n on n.id = w.name",
    "gpu_step": "m.digest, gpu, d.text, place, step, computation, communication, computation_communication, copy, computation_copy, "
                "communication_copy, all_kinds, launch, data_loading, host_wait, kernel_wait, other_idle, launches "
                "from gpu_step w join string d on d.id = w.device",
    "member_total": "m.digest, n.text, u.text, total, place, calls from member_total w join metric on metric.id = w.metric "
                    "join string n on n.id = metric.name join string u on u.id = metric.unit",
}


def profkit(*arguments):
    return subprocess.run([os.environ.get("PROFKIT", "./profkit"), *map(str, arguments)], capture_output=True, check=False)


def families(root, folder, most=MOST_FILES, of_a_folder=MOST_OF_A_FOLDER):
    """Small files of one run of each format that can be reduced, by format and whether callers or call paths are known."""
    found = collections.defaultdict(list)
    tried = collections.Counter()
    for path in sorted((p for p in root.rglob("*") if p.is_file() and 50 < p.stat().st_size < LARGEST and ATTACKS not in p.parts),
                       key=lambda p: (p.parent, p.stat().st_size)):
        if "expected" in path.name or path.suffix in OTHER or tried[path.parent, path.suffix] >= of_a_folder:
            continue
        tried[path.parent, path.suffix] += 1
        part = folder / f"{sum(tried.values())}.db"
        if profkit("reduce", "-q", "-o", part, path).returncode:
            continue
        runs = query(part, "select text, (select count(*) from edge), digest from member join string on string.id = member.format")
        if len(runs) > 1:
            continue
        form, callers, digest = runs[0]
        files = found[form, callers > 0]
        if len(files) < most and all(digest != other for _, _, other in files):
            files.append((path, part, digest))
    return {form: [file[:2] for file in files] for form, files in found.items()}


def functions(path, metric):
    """Functions of a file by name and place; what several have is left out."""
    run = profkit("hotspots", "-q", "--format", "json", "--limit", 0, "-m", metric, path)
    if run.returncode:
        return None
    result = json.loads(run.stdout)
    key = lambda row: tuple(row[k] for k in ("function", "module", "file", "line", "kind"))
    count = collections.Counter(map(key, result["rows"]))
    return {key(row): row for row in result["rows"] if count[key(row)] == 1}, {k for k, n in count.items() if n > 1}


def is_near(value, exact):
    return value is None and exact is None or abs(value - exact) <= SKETCH * abs(exact) + 1


def of_function(row, values, is_largest):
    """What is wrong with a function of a part, with the rows of the files that have it, and None for other files."""
    there = [value for value in values if value]
    add = max if is_largest else sum
    wrong = []
    for name in ("self", "total", "calls"):
        of_files = [value[name] for value in there]
        if None not in of_files and row[name] != (add if name != "calls" else sum)(of_files):
            wrong.append(f"{name} {row[name]}, of the files {of_files}")
    own = sorted(value["self"] if value else 0 for value in values)
    expected = {"runs": len(there), "run_mean": statistics.fmean(own), "run_max": own[-1],
                "run_stddev": statistics.stdev(own) if len(own) > 1 else None}
    for name, value in expected.items():
        if value is None or row[name] is None:
            continue
        if not math.isclose(row[name], value, rel_tol=1e-9, abs_tol=1e-6 * abs(own[-1])):
            wrong.append(f"{name} {row[name]}, should be {value}")
    for name, share in (("run_p50", 0.5), ("run_p95", 0.95)):
        if row[name] is not None and not is_near(row[name], own[math.ceil(share * len(own)) - 1]):
            wrong.append(f"{name} {row[name]} of {own}")
    return wrong


def compare_functions(everything, merged, paths):
    """Functions of the part beside those of each file, and of the merged files."""
    wrong, looked = [], 0
    metrics = query(everything, "select text, metric.aggregate from metric join string on string.id = metric.name where metric.id > 0")
    for name, aggregate in metrics:
        if [other for other, _ in metrics].count(name) > 1:
            continue
        of_part, several = functions(everything, name)
        of_files = [functions(path, name) for path in paths]
        # a file that does not know the metric does not count
        of_files = [files[0] for files in of_files if files and not several.update(files[1])]
        of_merged = functions(merged, name)[0] if merged else of_part
        for key in (set(of_part) | set(of_merged) | set().union(*of_files)) - several:
            looked += 1
            row = of_part.get(key)
            values = [file.get(key) for file in of_files]
            if not row:
                wrong.append(f"{name} of {key}: not in the part")
                continue
            wrong += [f"{name} of {key}: {text}" for text in of_function(row, values, aggregate == "max")]
            for column in ("self", "total", "calls"):
                if key in of_merged and row[column] != of_merged[key][column]:
                    wrong.append(f"{name} of {key}: {column} {row[column]}, of the merged files {of_merged[key][column]}")
    return wrong, looked


def compare_runs(everything, parts):
    """Rows that a sum keeps of each run."""
    wrong, looked = [], 0
    for table, sql in OF_RUNS.items():
        sql = f"select {sql} join member m on m.id = w.member"
        rows = sorted(map(repr, query(everything, sql)))
        single = sorted(repr(row) for part in parts for row in query(part, sql))
        looked += len(rows)
        if rows != single:
            wrong.append(f"other rows of {table} than the single parts")
    return wrong, looked


def compare_views(path, part):
    """What workers and gpu say of a part of one run, and of its file."""
    wrong, looked = [], 0
    for command in (["workers", "--by", "process"], ["workers", "--by", "thread"], ["workers", "--by", "rank"], ["gpu", "--view", "steps"],
                    ["gpu", "--view", "breakdown"], ["gpu", "--view", "ranks"]):
        of_part, of_file = (profkit(*command, "-q", "--limit", 0, "--format", "csv", name) for name in (part, path))
        if of_part.returncode:
            continue
        looked += of_file.stdout.count(b"\n") - 1
        if of_part.stdout != of_file.stdout:
            wrong.append(f"{' '.join(command)} of the part of {path}: {of_part.stdout}, of the file {of_file.stdout}")
    return wrong, looked


def compare(files, folder, count):
    """What is wrong with the parts of these files."""
    paths, parts = zip(*files)
    everything, backwards, rest, groups, merged = (folder / f"{n}.db" for n in ("all", "backwards", "rest", "groups", "merged"))
    commands = [["reduce", "-o", everything, *paths], ["merge", "-o", backwards, *parts[::-1]],
                ["merge" if len(parts) > 2 else "reduce", "-o", rest, *parts[1:]], ["merge", "-o", groups, rest, parts[0]]]
    if len(files) > 1:
        for command in commands + [["merge", "--demangle", "full", "-o", merged, *paths]]:
            run = profkit(*command, "-q", "--force")
            if run.returncode:
                return [f"{command[0]}: {run.stderr.decode(errors='replace')}"]
        wrong = [f"{other.stem} has other bytes" for other in (backwards, groups) if other.read_bytes() != everything.read_bytes()]
    else:
        everything, merged, wrong = parts[0], None, []
    for what, (texts, looked) in (("functions", compare_functions(everything, merged, paths)),
                                  ("rows of runs", compare_runs(everything, parts))):
        wrong += texts
        count[what] += looked
    for path, part in files:
        texts, looked = compare_views(path, part)
        wrong += texts
        count["rows of workers and gpu"] += looked
    return wrong


def look(root, most=MOST_FILES, of_a_folder=MOST_OF_A_FOLDER):
    wrong, count = [], collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = families(root, folder, most, of_a_folder)
        for (form, _), files in sorted(found.items()):
            texts = compare(files, folder, count)
            wrong += [f"{form}: {text}"[:1000] for text in texts[:5]] + [f"{form}: {len(texts)} in all"] * (len(texts) > 5)
        formats = sorted({form for form, _ in found})
        print(f"{len(formats)} formats:", *formats)
        print(*(f"{number} {what}" for what, number in count.items()), sep=", ")
        if len(formats) < LEAST_FORMATS:
            wrong.append(f"less than {LEAST_FORMATS} formats")
    return wrong, len(found)


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
