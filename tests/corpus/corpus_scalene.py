#!/usr/bin/env python3
"""Profiles of scalene: every line has the values that its row says, in ns, bytes and counts; every
function at least those of its row, which leaves out lines in which no sample of the time was taken; the text of the lines, the memory over time, the samples and the largest
footprint are what the file says. Where there is the table that scalene view --cli prints of the file,
every percentage, peak and rate in it is that of the profile, as printed.

The values are worked out here once more, in fractions. Prints what was compared of each file.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import fractions
import json
import re
import sys

from corpus import look_at_corpus, query

WHERE = ["real/scalene/*.json", "real/scalene/*.html", "peers/scalene/**/*.json"]
NOTHING = "real/scalene/inventory-cpu-1.5.20.json"
PAGES = {"real/scalene/workers.html": "real/scalene/workers.json"}
MEGABYTE = 1 << 20
LINES = """SELECT file.text AS file, location.line, metric.text AS metric, sum(self) AS self
  FROM cost JOIN node ON node.id = node JOIN location ON location.id = node.location
  JOIN function ON function.id = location.function JOIN string AS file ON file.id = function.file
  JOIN metric AS m ON m.id = cost.metric JOIN string AS metric ON metric.id = m.name
  WHERE metric.text <> 'samples' GROUP BY 1, 2, 3"""
# A function in which the lines are, by its "def", and those that have no line of it.
FUNCTIONS = """SELECT file.text AS file, name.text AS name, f.line, location.line AS at
  FROM location JOIN function AS f ON f.id = location.function JOIN string AS name ON name.id = f.name
  JOIN string AS file ON file.id = f.file WHERE f.line > 0"""
WHOLE = """SELECT metric.text AS metric, sum(self) AS self
  FROM cost JOIN metric AS m ON m.id = cost.metric JOIN string AS metric ON metric.id = m.name GROUP BY 1"""
SAMPLES = """SELECT time, value, tid FROM sample JOIN thread ON thread.id = thread ORDER BY sample.rowid"""
COUNTERS = "SELECT time, value FROM counter ORDER BY counter.rowid"
SOURCES = """SELECT f.text AS file, t.text AS text FROM source JOIN string AS f ON f.id = file
  JOIN string AS t ON t.id = source.text"""
ESCAPE = re.compile("\x1b\\[[0-9;]*m")
ROW = re.compile(r"^ *(\d+) +│(.*)$")


def nearest(value):
    return int(value + fractions.Fraction(1, 2))


def exact(number):
    return fractions.Fraction(repr(number))


def values_of(line, elapsed):
    """Metric -> value of a row of the file."""
    times = {"python": "n_cpu_percent_python", "native": "n_cpu_percent_c", "system": "n_sys_percent"}
    sizes = {"allocated": "n_malloc_mb", "line_peak": "n_peak_mb", "gpu_peak": "n_gpu_peak_memory_mb"}
    values = {m: nearest(exact(line[key]) / 100 * elapsed) for m, key in times.items()}
    values["time"] = sum(values.values())
    values.update((m, nearest(exact(line[key]) * MEGABYTE)) for m, key in sizes.items())
    values["allocated_python"] = nearest(values["allocated"] * exact(line["n_python_fraction"]))
    values["allocations"] = line["n_mallocs"]
    values["copied"] = nearest(exact(line["n_copy_mb_s"]) * MEGABYTE * elapsed / 10**9)
    values["gpu"] = nearest(exact(line["n_gpu_percent"]) * 1000)
    values["await"] = nearest(exact(line.get("n_async_await_percent", 0)) * 1000)
    return {m: v for m, v in values.items() if v}


def text_of(line):
    return line["line"].replace("\\u0026", "&").replace("\\u003c", "<").replace("\\u003e", ">")


def check_functions(path, name, file, lines, elapsed):
    """Lines belong to the functions that scalene says (version 2), and add up to its rows, or to more."""
    wrong, spans = [], collections.defaultdict(set)
    for found, function, begin, at in query(path, FUNCTIONS):
        if found == name:
            spans[at].add((function, begin))
    for line in file["lines"]:
        begin = line.get("start_function_line", 0)
        if begin and line["lineno"] in spans and begin not in {b for _, b in spans[line["lineno"]]}:
            wrong.append(f"{path}:{line['lineno']}: in {spans[line['lineno']]}, not from line {begin}")
    for row in file["functions"]:
        here = [n for n, found in spans.items() if (row["line"], row["lineno"]) in found]
        right = values_of({**row, "lineno": 0}, elapsed)
        # Python, native and system time are weighted anew with the mean of the lines: their sum stays.
        for metric in ("time", "allocated", "allocations"):
            value = sum(lines.get((name, n), {}).get(metric, 0) for n in here)
            if right.get(metric, 0) > value + 3 * len(here):
                wrong.append(f"{path}: {row['line']}: {metric} {value}, not {right[metric]}")
    return wrong


def check_printed(path, profile, lines):
    """The table of scalene view --cli: Python, native, system; peak; copies. Small ones are blank."""
    wrong, count, name = [], 0, None
    elapsed = profile["elapsed_time_sec"] * 1e9
    text = path.with_name(path.name + ".expected-view-cli.txt")
    if not text.exists():
        return [], 0
    for row in ESCAPE.sub("", text.read_text(encoding="utf-8")).split("\n"):
        title = re.match(r" *(\S+): % of time = +([\d.]+)% ", row)
        if title:
            name = title.group(1)
            own = sum(v.get("time", 0) for (f, _), v in lines.items() if f == name) / elapsed * 100
            if abs(own - float(title.group(2))) > 0.006:
                wrong.append(f"{text}: {name}: {own} %, not {title.group(2)}")
        match = ROW.match(row)
        if not match:
            continue
        cells = [cell.strip() for cell in match.group(2).split("│")]
        values = lines.get((name, int(match.group(1))), {})
        for metric, cell in zip(("python", "native", "system"), cells):
            own = values.get(metric, 0) / elapsed * 100
            count += bool(cell)
            if abs(own - float(cell.rstrip("%") or 0)) > (0.501 if cell else 1):
                wrong.append(f"{text}:{match.group(1)}: {metric} {own} %, not {cell}")
        if len(cells) > 6 and cells[5].endswith("M"):
            count += 1
            own = values.get("line_peak", 0) / MEGABYTE
            if abs(own - float(cells[5][:-1])) > 0.501:
                wrong.append(f"{text}:{match.group(1)}: peak {own} MB, not {cells[5]}")
    return wrong, count


def check_times(path, profile):
    """Memory over time, and samples."""
    wrong = []
    counters = [tuple(row) for row in query(path, COUNTERS)]
    right = [(ns, mb * MEGABYTE) for ns, mb in profile["samples"]]
    if len(counters) != len(right) or any(
            a[0] != b[0] or abs(a[1] - b[1]) > 0.01 for a, b in zip(counters, right)):
        wrong.append(f"{path}: memory over time is not that of the file")
    samples = [tuple(row) for row in query(path, SAMPLES)]
    moments = profile.get("combined_stacks_timeline", [])
    if samples != [(nearest(exact(m["t_sec"]) * 10**9), m["count"], m["thread_id"]) for m in moments]:
        wrong.append(f"{path}: samples are not those of the file")
    whole = dict(query(path, WHOLE))
    for metric, value in (("peak", nearest(exact(profile["max_footprint_mb"]) * MEGABYTE)),
                          ("samples", sum(hits for _, hits in profile.get("combined_stacks", [])))):
        if whole.get(metric, 0) != value:
            wrong.append(f"{path}: {metric} {whole.get(metric)}, not {value}")
    return wrong, len(right) + len(samples)


def check(path, profile):
    elapsed = nearest(exact(profile["elapsed_time_sec"]) * 10**9)
    lines, right = collections.defaultdict(dict), {}
    for file, line, metric, value in query(path, LINES):
        lines[file, line][metric] = value
    for name, file in profile["files"].items():
        for line in file["lines"]:
            values = values_of(line, elapsed)
            if values:
                right[name, line["lineno"]] = values
    wrong = [f"{path}: {at}: {lines.get(at)}, not {right.get(at)}"
             for at in sorted(set(lines) | set(right)) if lines.get(at) != right.get(at)]
    sources = dict(query(path, SOURCES))
    for name, file in profile["files"].items():
        if sources.get(name) != "".join(text_of(line) for line in file["lines"]):
            wrong.append(f"{path}: {name}: the text is not that of the file")
        wrong += check_functions(path, name, file, lines, elapsed)
    more, moments = check_times(path, profile)
    printed_wrong, printed = check_printed(path, profile, lines)
    functions = sum(len(f["functions"]) for f in profile["files"].values())
    print(f"{path.name}: {len(right)} lines with {sum(map(len, right.values()))} values, {functions} functions, "
          f"{sum(map(len, sources.values()))} characters of source, {moments} moments, {printed} printed")
    return wrong + more + printed_wrong + ([] if right or not functions else [f"{path}: no lines"])


def look(root):
    wrong, count = [], 0
    for path in sorted(f for pattern in WHERE for f in root.glob(pattern)):
        name = str(path.relative_to(root))
        if name == NOTHING:
            continue
        profile = json.loads(root.joinpath(PAGES.get(name, name)).read_text(encoding="utf-8"))
        count += 1
        wrong += check(path, profile)
    return wrong, count


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
