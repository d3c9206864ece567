#!/usr/bin/env python3
"""Records a program with perf and reads all that perf script can print of it.

Whatever fields are chosen, the call paths and their sums stay the same, and what functions
spend themselves is what perf report --no-children says, period by period. Skipped where perf
cannot record here.
"""
import collections
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
PROFKIT = os.environ.get("PROFKIT", "./profkit")
PROGRAM = "d = [str(i * 7919 % 100003) for i in range(150000)]; d.sort(); print(len(set(d)))"
EVENTS = ["cpu-clock", "page-faults", "task-clock"]
FIELDS = [
    "", "--ns", "--header", "--reltime", "--deltatime", "-L", "--no-demangle",
    "--show-task-events --show-mmap-events --show-switch-events --show-lost-events",
    "-F comm,pid,tid,cpu,time,period,event,ip,sym,dso",
    "-F comm,tid,time,period,event,ip,sym,symoff,dso",
    "-F tid,time,period,event,ip,sym,dso", "-F time,period,event,ip,sym,dso",
    "-F +addr", "-F +misc", "-F +tod", "-F +srcline", "-F +srcline --full-source-path",
    "-F +insn", "-F +cgroup", "-F +phys_addr", "-F +data_page_size",
]


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout if not done.returncode else None


def record(data, *options):
    return run("perf", "record", "-q", "-o", data, "-e", ",".join(EVENTS), "-F", "1500",
               "--sample-cpu", "-d", *options, sys.executable, "-c", PROGRAM) is not None


def folded(text):
    paths = [run(PROFKIT, "convert", "-q", "--to", "folded", "-O", f"metric={event}", text, "-")
             for event in EVENTS]
    return b"".join(p or b"" for p in paths)


def own(text):
    sums = collections.Counter()
    rows = run(PROFKIT, "query", "--format", "csv", text,
               "select string.text, f.name, coalesce(f.module, ''), sum(self) from cost"
               " join node on node.id = node join location l on l.id = location"
               " join functions f on f.id = l.function"
               " join metric on metric.id = metric join string on string.id = metric.name"
               " group by 1, 2, 3").decode()
    for event, name, module, value in list(csv.reader(io.StringIO(rows)))[1:]:
        module = os.path.basename(module)
        if name.startswith("[") and name != "[no stack]":
            name = "no symbol"
        sums[event, module or "[unknown]", name] += int(value)
    return sums


def reported(data):
    sums, event = collections.Counter(), ""
    lines = run("perf", "report", "-i", data, "--stdio", "--no-children", "-g", "none",
                "-F", "period,dso,sym", "-t", "|").decode(errors="replace")
    for line in lines.splitlines():
        if line.startswith("# Samples:"):
            event = line.split("'")[1]
        cells = [c.strip() for c in line.split("|", 2)]
        if len(cells) == 3 and cells[0].isdigit():
            name = cells[2][4:]
            if name.startswith("0x") or name.startswith("0000"):
                name = "no symbol"
            sums[event, cells[1], name] += int(cells[0])
    return sums


def check(folder, name, *options):
    data, text = str(folder / "perf.data"), str(folder / "perf.txt")
    first, wrong, read = None, [], 0
    if not record(data, *options):
        return None
    for fields in FIELDS:
        printed = run("perf", "script", "-i", data, *fields.split())
        if not printed:
            continue  # perf refuses fields that were not recorded
        pathlib.Path(text).write_bytes(printed)
        paths = folded(text)
        read += 1
        if first is None:
            first = paths
            ours, theirs = own(text), reported(data)
            wrong += [f"{name}: {key}: {ours[key]}, perf report: {theirs[key]}"
                      for key in sorted(set(ours) | set(theirs)) if ours[key] != theirs[key]]
        if paths != first or not paths:
            wrong.append(f"{name}: perf script {fields} gives other call paths")
    print(f"{name}: {len(first.splitlines())} paths, the same from {read} texts")
    return wrong


def main():
    if not shutil.which("perf") or not run("perf", "--version"):
        print("perf is not installed")
        return SKIP
    with tempfile.TemporaryDirectory() as folder:
        results = [check(pathlib.Path(folder), "call chains", "-g"),
                   check(pathlib.Path(folder), "without call chains")]
    if None in results:
        print("perf cannot record here")
        return SKIP
    for text in sum(results, []):
        print(text)
    return 1 if any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
