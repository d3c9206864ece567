#!/usr/bin/env python3
"""Every profile of pprof in the corpus is read as `go tool pprof -raw` prints it: types, period, time, mappings, and the
values of each type by stack (addresses, mappings, lines, inlined frames) and labels.

Where the corpus has no such output, go makes it for files of less than 20 KB; others, and all without go, are only read. What
pprof refuses is read with repairs. Skipped where there is no corpus.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import pprof_raw
from corpus import compare_files, corpus, query

FOLDERS = ["real/pprof-go", "generated/pprof-go", "peers/parca", "peers/pyroscope", "real/jax"]
MORE = ["peers/pprof/internal/driver/testdata/cppbench.cpu_no_samples_type", "peers/pprof/internal/driver/testdata/go.nomappings.crash",
        "peers/pprof/internal/report/testdata/sample.cpu", "peers/pprof/internal/proftest/testdata/large.cpu",
        "peers/speedscope/sample/profiles/pprof/simple.prof"]
OTHERS = ["peers/pyroscope/pkg/model/testdata/stacktraces", "jfr/testdata/dump1.labels", "jfr/testdata/dump2.labels", ".xplane.pb"]
# "found function with reserved ID=0"
NO_TEXT = "invalid_utf8.pb.gz"  # has line breaks in names
REFUSED = {"dotnet-pprof-3.pb.gz": 41, "dotnet-pprof-73.pb.gz": 47}


def load(path, *options):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "convert", "-q", "--to", "json", *options, str(path), "-o",
                          "-"], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    profile = json.loads(run.stdout)["profiles"][0]

    def rows(table):
        t = profile.get(table, {"columns": [], "rows": []})
        return [{}] + [dict(zip(t["columns"], row)) for row in t["rows"]]

    return {table: rows(table) for table in ["run", "meta", "repair", "mapping", "function", "location", "metric", "label_set",
                                             "node", "cost"]}


def text_of(p, location):
    f = p["function"][location["function"]]
    name, system_name = f["name"], f.get("system_name")
    nameless = name == "[unknown]" or name.startswith("[") and name.endswith("]")
    if nameless and not f["file"] and not f["line"]:
        if system_name is None:
            return None
        name = ""
    system_name = name if system_name is None else system_name
    return f"{name} {f['file'] or ''}:{location.get('line') or 0}:{location.get('column') or 0} s={f['line']}" + \
        (f"({system_name})" if system_name != name else "")


def number(value):
    """Addresses are texts in JSON."""
    return int(value, 0) % (1 << 64) if isinstance(value, str) else value or 0


def mapping_text(m):
    if not m:
        return ""
    flags = "".join(f"[{flag}]" for i, flag in enumerate(["FN", "FL", "LN", "IN"]) if (m.get("symbols") or 0) >> i & 1)
    text = f"{number(m['start']):#x}/{number(m['limit']):#x}/{number(m['offset']):#x} {m['file'] or ''} {m['build_id'] or ''} {flags}".strip()
    return "" if pprof_raw.is_blank(text) else text


def stack_of(p, node):
    """From the leaf: inlined frames belong to the location of the one that they were inlined into."""
    stack, names = [], []
    while node:
        location = p["location"][p["node"][node]["location"]]
        names.append(text_of(p, location))
        if not location.get("inlined"):
            mapping = p["mapping"][location.get("mapping") or 0]
            stack.append((number(location.get("address")), mapping_text(mapping),
                          tuple(name for name in names if name is not None)))
            names = []
        node = p["node"][node]["parent"]
    return () if stack == [(0, "", ())] and p["function"][location["function"]]["name"] == "[no stack]" else tuple(stack)


def labels_of(p, labels):
    found = {}
    while labels:
        row = p["label_set"][labels]
        unit = row.get("unit")
        value = row["text"] if row["number"] is None else f"{row['number']} {unit}" if unit else str(row["number"])
        if row["number"] != 0 or unit:
            found.setdefault((row["number"] is not None, row["key"]), []).append(value)
        labels = row["rest"]
    return tuple(sorted(f"{key}:[{' '.join(sorted(values))}]" for (_, key), values in found.items()))


FACTORS = {"microseconds": 1000, "milliseconds": 10 ** 6, "seconds": 10 ** 9, "kilobytes": 1024}


def samples_of(p, types):
    samples = {}
    for cost in p["cost"][1:]:
        name = p["metric"][cost.get("metric") or 1]["name"]
        name = "" if name == "value" else name
        key = stack_of(p, cost["node"]), labels_of(p, cost.get("labels"))
        values = samples.setdefault(key, [0] * len(types))
        values[[t[0] for t in types].index(name)] += cost["self"]
    return {key: tuple(values) for key, values in samples.items()}


def scaled(raw, types):
    factors = [FACTORS.get(unit, 1) for _, unit in types]
    samples = {}
    for (stack, labels), values in raw.samples.items():
        labels = tuple(sorted(label.split(":[", 1)[0] + ":[" + label.split(":[", 1)[1] for label in labels))
        samples[stack, labels] = tuple(v * f for v, f in zip(values, factors))
    return samples


def mangled(samples):
    """With the names that pprof's demangler did not touch; it takes Go's type arguments for C++."""
    def name(text):
        match = re.match(r"(.*) (\S*:\d+:\d+ s=-?\d+)\((.+)\)$", text)
        return f"{match[3]} {match[2]}" if match else text

    return {(tuple((a, m, tuple(map(name, names))) for a, m, names in stack), labels): values
            for (stack, labels), values in samples.items()}


def compare_with(path, text, demangled=False):
    raw, p = pprof_raw.parse(text), load(path, "-O", "all-frames")
    types = [tuple(t.replace("[dflt]", "").split("/")) for t in raw.types.split()]
    ours, should = samples_of(p, types), scaled(raw, types)
    if demangled:
        ours, should = mangled(ours), mangled(should)
    if ours != should:
        wrong = [(key, ours.get(key), should.get(key)) for key in ours.keys() | should.keys() if ours.get(key) != should.get(key)]
        raise ValueError(f"{len(wrong)} of {len(should)} samples differ: {sorted(wrong, key=str)[0]}")
    mappings = sorted(filter(None, (mapping_text(m) for m in p["mapping"][1:])))
    if mappings != raw.mappings:
        raise ValueError(f"mappings {mappings} instead of {raw.mappings}")
    if len(p["repair"]) > 1:
        raise ValueError(f"repairs {p['repair'][1:]}")
    return len(ours)


def compare(path, folder):
    if path.name in REFUSED:
        repairs = load(path)["repair"][1:]
        assert repairs[0]["times"] == REFUSED[path.name], repairs
        return 1
    expected = path.with_name(path.name.replace(".pb.gz", "") + ".expected-raw.txt")
    if expected.exists():
        return compare_with(path, expected.read_text(), True)
    if not pprof_raw.have_go() or path.stat().st_size > 20000 or path.name == NO_TEXT:
        return query(path, "SELECT count(*) FROM node")[0][0]
    return compare_with(path, pprof_raw.go_raw(path, folder))


def main():
    files = [path for folder in FOLDERS for pattern in ["*.pb.gz", "*.pprof", "*.pb", "*device_memory.prof"]
             for path in sorted((corpus() / folder).rglob(pattern)) if not any(other in str(path) for other in OTHERS)]
    files += [corpus() / name for name in MORE if (corpus() / name).exists()]
    with tempfile.TemporaryDirectory() as folder:
        return compare_files(files, lambda path: compare(path, folder), "samples", 50000)


if __name__ == "__main__":
    sys.exit(main())
