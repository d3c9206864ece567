#!/usr/bin/env python3
"""Every capture of memray in the corpus: what memray's own reports say of it.

For each file, with memray's output where the corpus has it:
  transform csv                        peak: bytes and allocations by stack, with lines
  transform csv --leaks                leaked, likewise
  transform csv --temporary...         temporary, for both thresholds
  stats --json                         all allocations and bytes, the peak, allocations by allocator, the histogram
                                       of sizes, bytes and allocations by place
                                       and the thread of stacks that only one thread has
  transform gprof2dot                  peak by stack, without lines
  flame graphs (JSON in them)          resident and live memory over time; bytes and allocations below each
                                       frame, at the peak and leaked
  temporal flame graph                 what is live at the highest of its steps, by stack
  table                                bytes and allocations at the peak by place
  stats                                every byte of the text, from memray 1.18 on
  summary                              every byte, of those captures of 1.20 where memray's order of call paths
                                       is known: it leaves out the last of them, when it has 95 % of the bytes.
                                       Of all others: its numbers are those of the rows of transform csv, which
                                       are compared above, in their order, which is that of a hash table
                                       of memray; versions to 1.10 forget what they knew of a place when it is
                                       the leaf of a row, and show one thread
  tree                                 every byte, where memray prints it (to 1.7)
  parse                                allocations of files of sums (--aggregate)
CSV and tables add up threads and allocators, and name one of them; of files of sums CSV adds up allocations wrongly.
Stacks with native frames are compared by their Python frames, since memray finds names for the others
on the machine where they were recorded; the sums are all there.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import csv
import gzip
import html
import io
import json
import os
import re
import subprocess
import sys

from corpus import corpus

SKIP = 77
OLD = ["1.5.0", "1.7.0", "1.10.0", "1.13.4"]  # have other units, and no peak, in the text of memray stats
# memray tells instructions of a line apart, versions to 1.19 add up in the order of a hash table.
SUMMARY = re.compile(r"^(cache-1\.20|ex3-follow|forks|inventory)")
NO_STACK = "<stack trace unavailable>"


def content(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def expected(path, what):
    for name in [f"{path.name}.expected-{what}", f"{path.name}.expected-{what}.gz"]:
        if (path.parent / name).exists():
            return content(path.parent / name)
    return None


def load(path, *options):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "convert", "-q", "--to", "json", *options, str(path),
                          "-o", "-"], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    profile = json.loads(run.stdout)["profiles"][0]

    def rows(table):
        t = profile.get(table, {"columns": [], "rows": []})
        return [None] + [dict(zip(t["columns"], row)) for row in t["rows"]]

    return {table: rows(table) for table in ["run", "meta", "function", "location", "thread", "metric", "label_set",
                                             "node", "cost", "counter"]}


class Profile:
    def __init__(self, path, *options):
        self.tables = load(path, *options)
        self.paths = [()]
        for node in self.tables["node"][1:]:
            location = self.tables["location"][node["location"]]
            f = self.tables["function"][location["function"]]
            frame = (f["name"], f["file"] or "", location.get("line") or 0, f["kind"])
            self.paths.append(self.paths[node["parent"] or 0] + (frame,))

    def costs(self, metric, key):
        """Sums by what key(thread, allocator, stack) says; stack: leaf first."""
        sums = collections.Counter()
        for cost in self.tables["cost"][1:]:
            if self.tables["metric"][cost.get("metric") or 1]["name"] != metric:
                continue
            label = self.tables["label_set"][cost["labels"]]
            stack = tuple(reversed(self.paths[cost["node"]]))
            sums[key(self.tables["thread"][cost["thread"]]["tid"], label["text"].upper(),
                     () if stack == ((NO_STACK, "", 0, "unknown"),) else stack)] += cost["self"]
        return sums

    def total(self, metric):
        return sum(self.costs(metric, lambda *_: 0).values())


def is_python(frame):
    return frame[1].endswith(".py") or frame[1].startswith("<frozen") or "/bin/" in frame[1] or frame[1] == "<string>"


def rows_of_csv(text, native):
    """Bytes and allocations by stack. With native frames, those of memray itself are not left out."""
    sums = collections.Counter(), collections.Counter()
    for row in csv.DictReader(io.StringIO(text, newline="")):
        frames = [tuple(frame.rsplit(";", 2)) for frame in row["stack_trace"].split("|")] if row["stack_trace"] else []
        stack = tuple((name, file, int(line)) for name, file, line in frames)
        if native:
            stack = tuple(filter(is_python, stack))
            names = [frame[0] for frame in stack]
            if "_run_tracker" in names:
                stack = stack[:names.index("_run_tracker") + 1]
        sums[0][stack] += int(row["size"])
        sums[1][stack] += int(row["num_allocations"])
    return sums


def below(sums):
    """Sums of each stack and of those below it, root first."""
    inclusive = collections.Counter()
    for stack, value in sums.items():
        for depth in range(len(stack) + 1):
            inclusive[tuple(reversed(stack))[:depth]] += value
    return inclusive


def flame_graph(data):
    """Bytes and allocations by path, root first."""
    sums = collections.Counter(), collections.Counter()
    packed = data.get("packed_data")

    def frame(node):
        if not packed:
            function, file, line = node["location"]
            return node["children"], (function, file, int(line)), (node["value"], node["n_allocations"])
        nodes, strings = packed["nodes"], packed["strings"]
        return (nodes["children"][node], (strings[nodes["function"][node]], strings[nodes["filename"][node]],
                                          nodes["lineno"][node]), (nodes["value"][node], nodes["n_allocations"][node]))

    todo = [((), 0 if packed else data["data"])]
    while todo:
        parent, node = todo.pop()
        children, (function, file, line), values = frame(node)
        path = parent + ((html.unescape(function), html.unescape(file), line),) if node not in (0, data.get("data")) else ()
        for counter, value in zip(sums, values):
            counter[path] += value
        todo += [(path, child) for child in children]
    return sums


def size_text(size, unit):
    for prefix in ["", "K" if unit == 1024 else "k", "M", "G"]:
        if size < unit:
            break
        size /= unit
    return f"{size:.3f}{prefix}B"


def summary_of_csv(text, old, forgets):
    """The numbers of memray summary of these rows: total, share, own, share, allocations by place."""
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    whole, added, places, threads = sum(int(row["size"]) for row in rows), 0, {}, collections.defaultdict(set)
    for row in rows:
        if added >= 0.95 * whole:
            break
        size, count = int(row["size"]), int(row["num_allocations"])
        stack = [tuple(f.rsplit(";", 2)[:2]) for f in row["stack_trace"].split("|")] if row["stack_trace"] else ["???"]
        added += size
        leaf = places.setdefault(stack[0], [0, 0, 0])
        if forgets:
            leaf[:] = [0, 0, 0]
            threads[stack[0]] = set()
        leaf[:] = leaf[0] + size, leaf[1] + size, leaf[2] + count
        for location in dict.fromkeys(stack[1:]):
            if location == stack[0] and not forgets:
                continue
            place = places.setdefault(location, [0, 0, 0])
            place[0], place[2] = place[0] + size, place[2] + count
        for location in stack:
            threads[location].add(row["tid"])
    if forgets:  # and shows one thread
        places = {location: place for location, place in places.items() if rows[0]["tid"] in threads[location]}
    unit = 1024 if old else 1000
    return [(size_text(total, unit), f"{total / whole * 100:.2f}%", size_text(own, unit), f"{own / whole * 100:.2f}%", str(count))
            for total, own, count in sorted(places.values(), key=lambda place: -place[0])]


class Comparison:
    def __init__(self, path):
        self.path, self.errors, self.compared = path, [], []

    def equal(self, what, is_value, should):
        self.compared.append(what)
        if is_value == should:
            return
        if isinstance(should, collections.Counter):
            is_value, should = dict(is_value - should), dict(should - is_value)
        self.errors.append(f"{self.path.name}: {what}: {str(is_value)[:600]} instead of {str(should)[:600]}")

    def costs(self, profile, metric, text):
        native = "-native" in self.path.name

        def key(_thread, _allocator, stack):
            return tuple(f[:3] for f in stack if f[3] != "native")

        for name, sums in zip([metric, metric + "_allocations"], rows_of_csv(text, native)):
            if "allocated" in (m["name"] for m in profile.tables["metric"][1:]) or name == metric:
                self.equal(name, +profile.costs(name, key), +sums)

    def threads(self, profile, text):
        threads = collections.defaultdict(set)

        def note(thread, _allocator, stack):
            threads[tuple(f[:3] for f in stack if f[3] != "native")].add(thread)

        profile.costs("peak", note)
        names = {t["tid"]: t.get("name") for t in profile.tables["thread"][1:]}
        is_value, should = collections.Counter(), collections.Counter()
        for row in csv.DictReader(io.StringIO(text, newline="")):
            frames = [frame.rsplit(";", 2) for frame in row["stack_trace"].split("|")] if row["stack_trace"] else []
            stack = tuple((name, file, int(line)) for name, file, line in frames)
            if len(threads[stack]) == 1:
                tid, = threads[stack]
                is_value[hex(tid) + (f" ({names[tid]})" if names[tid] else "")] += int(row["size"])
                should[row["thread_name"]] += int(row["size"])
        self.equal("threads", is_value, should)

    def gprof2dot(self, profile, data):
        names = [(f["name"], f["module"]) for f in data["functions"]]
        should = collections.Counter()
        for event in data["events"]:
            should[tuple(names[i] for i in event["callchain"])] += event["cost"][0]
        sums = profile.costs("peak", lambda t, a, s: tuple(f[:2] for f in s))
        sums.pop((), None)
        self.equal("gprof2dot", +sums, +should)

    def flame_graph(self, profile, metric, data):
        for name, should in zip([metric, metric + "_allocations"], flame_graph(data)):
            sums = profile.costs(name, lambda t, a, s: tuple(f[:3] for f in s))
            self.equal(f"flame graph of {name}", +below(sums), +should)

    def table(self, profile, rows):
        def place(_thread, _allocator, stack):
            return "%s at %s:%d" % stack[0][:3] if stack else "???"

        for metric, column in [("peak", "size"), ("peak_allocations", "n_allocations")]:
            should = collections.Counter()
            for row in rows:
                should[html.unescape(row["stack_trace"])] += row[column]
            self.equal(f"table of {metric}", +profile.costs(metric, place), +should)

    def temporal(self, profile, data):
        """Intervals: [first step at which it is live, the one after the last, node, allocations, bytes], where a step is
        that between two records of memory, at its highest; stacks have memray's frames."""
        nodes, strings, highest = data["nodes"], data["strings"], data["high_water_mark_by_snapshot"]
        step = highest.index(max(highest))
        stacks, should = {0: ()}, collections.Counter()
        for parent, children in enumerate(nodes["children"]):
            for child in children:
                name, file = (html.unescape(strings[nodes[key][child]]) for key in ("function", "filename"))
                above = () if name == "_run_tracker" else stacks[parent]
                stacks[child] = ((name, file, nodes["lineno"][child]),) + above
        for first, last, node, _, size in data["intervals"]:
            if first <= step and (last is None or step < last):
                should[stacks[node]] += size
        self.equal("temporal", +profile.costs("peak", lambda t, a, s: tuple(f[:3] for f in s)), +should)

    def stats(self, profile, stats):
        def place(_thread, _allocator, stack):
            return "%s:%s:%d" % stack[0][:3] if stack else NO_STACK

        self.equal("allocations", profile.total("allocations"), stats["total_num_allocations"])
        self.equal("allocated", profile.total("allocated"), stats["total_bytes_allocated"])
        self.equal("peak", profile.total("peak"), stats["metadata"]["peak_memory"])
        self.equal("by allocator", dict(profile.costs("allocations", lambda t, a, s: a)),
                   stats["allocator_type_distribution"])
        sizes = next(m["value"] for m in profile.tables["meta"][1:] if m["key"] == "allocation sizes")
        self.equal("sizes", [int(n) for n in re.findall(r" (\d+) <", sizes)],
                   [bin["count"] for bin in stats["allocation_size_histogram"]])
        if "-native" in self.path.name:
            return
        for metric, what, value in [("allocated", "size", "size"), ("allocations", "count", "count")]:
            top = stats[f"top_allocations_by_{what}"]
            sums = profile.costs(metric, place)
            self.equal(f"{metric} by place", {p: sums[p] for p in (t["location"] for t in top)},
                       {t["location"]: t[value] for t in top})

    def counters(self, profile, records):
        start = profile.tables["run"][1]["start"] // 1000000
        values = collections.defaultdict(dict)
        for c in profile.tables["counter"][1:]:
            values[c["time"] // 1000000 + start][c["series"]] = int(c["value"])
        self.equal("memory over time", values, {ms: {"rss": rss, "heap": heap} for ms, rss, heap in records})

    def sums(self, profile, text):
        for metric, what in [("peak_allocations", "n_allocations_in_high_water_mark"), ("peak", "bytes_in_high_water_mark"),
                             ("leaked_allocations", "n_allocations_leaked"), ("leaked", "bytes_leaked")]:
            rows = re.findall(rf"AGGREGATED_ALLOCATION tid=(\d+) allocator=(\w+) .* {what}=(\d+)", text)
            should = collections.Counter()
            for thread, allocator, value in rows:
                should[int(thread), allocator.upper()] += int(value)
            self.equal(f"{metric} by thread and allocator", +profile.costs(metric, lambda t, a, s: (t, a)), +should)

    def stats_text(self, should):
        run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "memory", "-q", "--like", "memray-stats", "-n", "20",
                              str(self.path)], capture_output=True, check=True)
        text = run.stdout.decode()
        self.equal("text of memray stats", text.split("\n"), should.split("\n"))

    def text(self, what, should):
        run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "memory", "-q", "--like", f"memray-{what}",
                              str(self.path)], capture_output=True, check=True, env={**os.environ, "COLUMNS": "160"})
        self.equal(f"text of memray {what}", run.stdout.decode().split("\n"), should.split("\n"))

    def summary_by_rows(self, should, rows):
        should = [tuple(cell.strip() for cell in line.split("│")[2:7]) for line in should.split("\n") if line.startswith("│")]
        should = [row for row in should if row[0]]  # the others are the rest of long names
        forgets = re.search(r"-1\.([57]|10)\.", self.path.name)
        numbers = summary_of_csv(rows, any(f"-{version}-" in self.path.name for version in OLD), forgets)
        self.equal("summary by rows", numbers[:len(should)], should)

    def run(self):
        profile = Profile(self.path)
        for metric, what in [("peak", "transform-csv.csv"), ("leaked", "leaks-csv.csv"),
                             ("temporary", "temporary.csv")]:
            text = expected(self.path, what)
            if text and "allocator," in text:
                self.costs(profile, metric, text)
        text = expected(self.path, "temporary3.csv")
        if text and "allocator," in text:
            self.costs(Profile(self.path, "-O", "temporary=3"), "temporary", text)
        text = expected(self.path, "parse.txt")
        if text and "AGGREGATED_ALLOCATION" in text:
            self.sums(profile, text)
        text = expected(self.path, "stats.json")
        if text and text.startswith("{"):
            self.stats(profile, json.loads(text))
        text = expected(self.path, "stats.txt")
        if text and not any(f"-{version}-" in self.path.name for version in OLD):
            self.stats_text(text.lstrip("\n"))
        text = expected(self.path, "summary.txt")
        if text and SUMMARY.match(self.path.name):
            self.text("summary", text)
        elif text:
            self.summary_by_rows(text, expected(self.path, "transform-csv.csv"))
        text = expected(self.path, "tree.txt")
        if text:
            self.text("tree", text)
        text = expected(self.path, "transform-csv.csv")
        if text and "-native" not in self.path.name:
            self.threads(profile, text)
        text = expected(self.path, "transform-gprof2dot.json")
        if text and "-native" not in self.path.name:
            self.gprof2dot(profile, json.loads(text))
        for metric, what in [("peak", "flamegraph"), ("leaked", "flamegraph-leaks")]:
            text = expected(self.path, f"{what}-embedded.json")
            if text:
                self.flame_graph(profile, metric, json.loads(text))
        text = expected(self.path, "table-embedded.json")
        if text:
            self.table(profile, json.loads(text).get("packed_data") or json.loads(text)["data"])
        text = self.path.with_name(self.path.name + ".flamegraph-temporal.html")
        if text.exists():
            self.temporal(profile, json.loads(re.search(r"const packed_data = (.*?);\n", text.read_text())[1]))
        text = expected(self.path, "flamegraph-embedded.json")
        if text and json.loads(text).get("memory_records"):
            self.counters(profile, json.loads(text)["memory_records"])


def main():
    files = sorted((corpus() / "real/memray").glob("*.bin"))
    if not files:
        print("no corpus")
        return SKIP
    errors = []
    for path in files:
        comparison = Comparison(path)
        try:
            comparison.run()
        except (ValueError, KeyError) as error:
            comparison.errors.append(f"{path.name}: {error!r}")
        errors += comparison.errors
        print(f"{path.name}: {', '.join(comparison.compared)}")
        for error in comparison.errors:
            print("  " + error)
    return 1 if errors else 0


sys.exit(main())
