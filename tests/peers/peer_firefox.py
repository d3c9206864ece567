#!/usr/bin/env python3
"""The Firefox Profiler's own importer accepts what profkit writes as gecko, and shows the numbers of the file it was made from.

profiler-cli (npm: @firefox-devtools/profiler-cli) is the page's code without the page. A profile of each family is converted and
loaded; of every function self and total, added up over threads, are those of hotspots, of every metric that is written.
Skipped where there is no profiler-cli: FIREFOX_PROFILER_CLI is the path of its profiler-cli.js, else it is looked for in PATH.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
from corpus import compare_files  # noqa: E402

TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
FILES = ["pprof/everything.pb.gz", "otlp/everything.otlp", "tachyon/plain.bin", "memray/all.bin", "perf-script/comms.perf", "pstats/plain-v4.prof",
         "callgrind/plain.out", "gprof/full.txt", "gperftools/cpu.prof", "cpuprofile/node.cpuprofile", "speedscope/evented.speedscope.json",
         "gecko/markers.gecko.json", "torch/gpu.json"]
ESTIMATED = ("pstats", "callgrind", "gprof")
# What the page calls the unit: how much of ours one of it is.
WEIGHTS = {"tracing-ms": 1e6, "bytes": 1, "samples": 1}


def profkit(*arguments):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *map(str, arguments)], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return run.stdout


class Page:
    """One profile in the profiler, a process of its own that answers at a socket, a line of JSON for each."""

    def __init__(self, command, path, folder):
        nothing = subprocess.DEVNULL
        self.process = subprocess.Popen([*command, "--daemon", str(path), "--session", "page"], stdin=nothing, stdout=nothing, stderr=nothing,
                                        env=dict(os.environ, PROFILER_CLI_SESSION_DIR=str(folder)))
        self.place, self.log = folder / "page.sock", folder / "page.log"

    def ask(self, message):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(str(self.place))
            s.sendall(json.dumps(message).encode() + b"\n")
            with s.makefile() as lines:
                return json.loads(lines.readline())

    def command(self, **command):
        answer = self.ask({"type": "command", "command": command})
        if answer["type"] != "success":
            raise ValueError(f"{command}: {answer}")
        return answer["result"]

    def wait(self):
        for _ in range(1200):
            if self.process.poll() is None and self.place.exists():
                status = self.ask({"type": "status"})["type"]
                if status not in ("loading", "starting"):
                    return status
            elif self.process.poll() is not None:
                return "ended"
            time.sleep(0.1)
        return "never ready"

    def __enter__(self):
        status = self.wait()
        if status != "ready":
            self.__exit__()
            raise ValueError(f"{status}: {self.log.read_text() if self.log.exists() else ''}"[-500:])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def shown(page, metrics):
    """Self and total by metric and function, in our units. A thread has the name of its metric behind its own where there are several."""
    values = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for thread in page.command(command="thread", subcommand="list")["threads"]:
        metric = re.search(r" \(([^()]*)\)$", thread["name"])
        metric = metric[1] if metric and metric[1] in metrics else metrics[0]
        table = page.command(command="thread", subcommand="functions", thread=thread["threadHandle"], includeIdle=True)
        for f in table["functions"]:
            row = values[metric][f["name"]]
            row[0] += f["selfSamples"] * WEIGHTS[table["weightType"]]
            row[1] += f["totalSamples"] * WEIGHTS[table["weightType"]]
    return values


def expected(path, metric):
    """The same by profkit."""
    rows = {}
    for f in json.loads(profkit("hotspots", "-q", "--format", "json", "--limit", "0", "-m", metric, path))["rows"]:
        row = rows.setdefault(f["function"], [0, 0])
        row[0] += f["self"]
        row[1] += f["total"]
    return rows


def equal(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))  # the page adds up doubles


def compare(command, path):
    info = json.loads(profkit("info", "-q", "--format", "json", path))
    metrics = [m["name"] for m in info["metrics"]]
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / "profile.json"
        written.write_bytes(profkit("convert", "-q", "--to", "gecko", path, "-o", "-"))
        with Page(command, written, pathlib.Path(folder)) as page:
            values = shown(page, metrics)
    count = 0
    for metric in metrics:
        ours, theirs = expected(path, metric), values[metric]
        # Call paths are estimated where only callers are known: self is exact then, and totals of recursion may be less.
        own_only = info["format"] in ESTIMATED
        for name in ours.keys() | theirs.keys():
            mine, page_has = ours.get(name, [0, 0]), theirs.get(name, [0, 0])
            if not equal(mine[0], page_has[0]) or not (own_only or equal(mine[1], page_has[1])):
                raise ValueError(f"{metric}: {name}: the page has {page_has}, profkit {mine}")
        count += len(ours)
    return count


def main():
    found = os.environ.get("FIREFOX_PROFILER_CLI") or shutil.which("profiler-cli")
    if not found or not shutil.which("node"):
        print("skipped: there is no profiler-cli (npm: @firefox-devtools/profiler-cli)")
        return 77
    command = ["node", os.path.realpath(found)]
    return compare_files([TESTDATA / name for name in FILES], lambda path: compare(command, path), "functions", 150)


if __name__ == "__main__":
    sys.exit(main())
