#!/usr/bin/env python3
"""Files that other tools misread have their right numbers, and every file of the corpus that profkit
reads is in a test that compares it.

1. With CORPUS_COMPLETE set, as in make check-all: what profkit takes for a format is compared by the
   test of that format, with numbers counted there or printed by its own tool. Files that no test
   compares are listed, and are failures. Files of formats that are not read yet are none.
2. MISREAD: files on which others print wrong numbers and say nothing, with the right ones.
3. OTHERS: what is no profile of these formats, though others take it for one, and what profkit
   says of it.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
# pylint: disable=wrong-import-position
import corpus_austin
import corpus_chrome
import corpus_flamegraph_svg
import corpus_folded
import corpus_memory_profiler
import corpus_perf_script
import corpus_py_spy
import corpus_scalene
import corpus_speedscope

from corpus import corpus

SKIP = 77
TESTED = {
    "austin": corpus_austin.WHERE,
    "austin-mojo": ["real/austin/*.mojo", "peers/austin-python/test/data/*.mojo"],
    "chrome": corpus_chrome.WHERE,
    "flamegraph-svg": ["**/*.svg", "**/*.svg.gz"],
    "folded": corpus_folded.WHERE + corpus_flamegraph_svg.STACKS,
    "memory-profiler": corpus_memory_profiler.WHERE,
    "perf-script": corpus_perf_script.INPUTS,
    "pstats": ["**/*.prof", "**/*.pstats", "**/*.pstat"],
    "py-spy": corpus_py_spy.WHERE,
    "pyinstrument": ["**/*.pyisession*", "generated/pyinstrument/*.json", "cases/*.pyi.json"],
    "scalene": corpus_scalene.WHERE,
    "speedscope": corpus_speedscope.WHERE + [corpus_speedscope.REFUSED],
}
# Outputs of others, what is no input, and inputs made to do harm.
NO_INPUT = re.compile(r"expected|SOURCE\.md|EXPECTED\.md|\.(py|c|go|js|sql|elf|map)$|^cases/attack/")
# No other tool says what is in these: a flame graph in a page, recordings without a text of the same
# run, what profkit wrote itself.
ALONE = ["peers/async-profiler/.assets/html/flamegraph.html", "cases/pool.mojo", "cases/web.mojo",
         "cases/ci/perf.baseline", "cases/diff6/perf.baseline"]
# Samples, or the total of the first metric where the format has no samples.
MISREAD = {
    # stackcollapse-perf.pl loses the last sample.
    "peers/FlameGraph/test/perf-dd-stacks-01.txt": (11, 111111110),
    "peers/FlameGraph/test/perf-iperf-stacks-pidtid-01.txt": (201, 201),
    "peers/FlameGraph/test/perf-mirageos-stacks-01.txt": (53, 53),
    "peers/FlameGraph/test/perf-numa-stacks-01.txt": (200, 200),
    "peers/FlameGraph/test/perf-vertx-stacks-01.txt": (286, 286),
    "peers/speedscope/sample/profiles/linux-perf/simple.linux-perf.txt": (1, 1001001),
    "peers/speedscope/sample/profiles/linux-perf/one-sample.linux-perf.txt": (1, 1001001),
    "peers/inferno/tests/data/collapse-perf/single-event.txt": (1, 10101010),
    # inferno-collapse-perf reads nothing behind a PERF_RECORD line.
    "real/workers/chunks.perf.txt": (870, 4371858750),
    "real/workers/good.perf.txt": (650, 3266331250),
    "real/workers/tail.perf.txt": (627, 3150753375),
    "real/workers/tiny.perf.txt": (623, 3130652875),
    "generated/perf-script/task-mmap-events.txt": (17, 34068136),
    # Arguments of tracepoints, times of day, columns and addresses misread.
    "generated/perf-script/syscalls-trace.txt": (463, 339),
    "generated/perf-script/tod.txt": (26, 86956506),
    "generated/perf-script/latency.txt": (28, 21),
    "generated/perf-script/addr.txt": (124, 124),
    "peers/gprof2dot/tests/perf/glxgears.perf": (1401, 1401),
    # speedscope takes the time to the next sample for the weight of one.
    "generated/perf-script/deltatime.txt": (17, 34068136),
    "generated/perf-script/two-events.txt": (96, 4028),
    # Fractions cut off.
    "peers/inferno/tests/data/flamegraph/fractional-samples/fractional.txt": (0, 334.618),
    # "# duration: N" read as a stack. In ns.
    "peers/austin-python/test/data/austin.out": (73, 725583000),
    "peers/austin-python/test/data/mp.austin": (2631, 5286591000),
    "peers/austin-python/test/data/repeat.austin": (1708, 1706506000),
}
DUMP = "py-spy dump"
OTHERS = {
    "generated/perf-data/fp.perf.data": "perf script -i FILE",
    "generated/perf-data/sched.perf.data": "perf script -i FILE",
    "generated/perf-data/zstd.perf.data": "perf script -i FILE",
    "real/perf/mixed-fp.perf.data": "perf script -i FILE",
    "real/py-spy/workers-dump.txt": DUMP,
    "real/py-spy/workers-dump.json": DUMP,
    "real/py-spy/ex3-dump-subprocesses.txt": DUMP,
    "real/py-spy/ex3-dump-subprocesses.json": DUMP,
    "real/programs/native.perf.expected-report-self.txt": "a table of perf report",
    "real/perf/mixed-fp.expected-report-nochildren.txt": "a table of perf report",
    "real/programs/etl.expected-pyinstrument.txt": "what pyinstrument prints",
    "real/programs/etl.cprofile.expected-stats-tottime-40.txt": "a table of Python's profiler",
    "peers/inferno/tests/data/collapse-perf/no-events.txt": "the file is empty",
    "peers/inferno/tests/data/flamegraph/empty/empty.txt": "the file is empty",
    "peers/inferno/tests/data/flamegraph/empty/empty.svg": "a flame graph without frames",
    "peers/inferno/tests/data/collapse-guess/unknown-format.txt": "plain text",
    "peers/inferno/tests/data/collapse-guess/invalid-perf-with-empty-line-after-event-line.txt":
        "perf script without frames",
    "peers/inferno/tests/data/flamegraph/nameattr/nameattr_empty_first_line.txt": "plain text",
    "generated/pyinstrument/v512-empty.pyisession": "no samples",
    "real/scalene/inventory-cli-1.5.51.txt": "a table of scalene",
    "real/scalene/leaky-memory.json.expected-view-cli.txt": "a table of scalene",
}
# Lines that end in a number make no folded stacks.
NOT_FOLDED = [
    "generated/gprof/gprof-flat.txt", "generated/jfr/execution-sample.txt",
    "peers/FlameGraph/example-dtrace-stacks.txt", "peers/gprof2dot/tests/hprof/hadoop.hprof",
    "peers/gprof2dot/tests/prof/ibm.prof", "peers/inferno/tests/data/collapse-dtrace/java.txt",
    "peers/inferno/tests/data/collapse-dtrace/scope_with_no_argument_list.txt",
    "peers/inferno/tests/data/collapse-sample/end-before-call-graph-end.txt",
    "peers/inferno/tests/data/collapse-sample/large.txt.gz", "real/time/default.time.txt",
    "real/gperftools/alloc.heap", "real/austin/workers-where.txt",
]


def info(path):
    """The object of info, or what profkit says."""
    profkit = os.environ.get("PROFKIT", "./profkit")
    done = subprocess.run([profkit, "info", "--format", "json", str(path)], capture_output=True,
                          check=False)
    if done.returncode:
        return done.stderr.decode(errors="replace").strip()
    return json.loads(done.stdout)


def check_tested(root):
    """How many files are read, and those of them that no test compares."""
    tested = {format_: {f for pattern in patterns for f in root.glob(pattern)}
              for format_, patterns in TESTED.items()}
    count, wrong = 0, []
    for path in sorted(root.glob("**/*")):
        name = str(path.relative_to(root))
        if not path.is_file() or NO_INPUT.search(name):
            continue
        got = info(path)
        if isinstance(got, str):
            if not got.startswith("profkit: reading "):
                wrong.append(f"{name}: {got}")
            continue
        count += 1
        if path not in tested.get(got["format"], ()) and name not in ALONE:
            wrong.append(f"{name}: no test compares this file of {got['format']}")
    return count, wrong


def check_misread(root):
    for name, right in MISREAD.items():
        got = info(root / name)
        if isinstance(got, str):
            yield got
        elif (got["samples"], got["metrics"][0]["total"]) != right:
            yield f"{name}: {got['samples']}, {got['metrics'][0]['total']}, not {right}"


def check_others(root):
    for name, words in OTHERS.items():
        got = info(root / name)
        if not isinstance(got, str) or words not in got:
            yield f"{name}: is not refused as '{words}': {got}"
    for name in NOT_FOLDED:
        got = info(root / name)
        if not isinstance(got, str) and got["format"] in ("folded", "py-spy", "austin"):
            yield f"{name}: taken for {got['format']}"


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    complete = os.environ.get("CORPUS_COMPLETE")
    count, wrong = check_tested(root) if complete else (0, [])
    wrong += [*check_misread(root), *check_others(root)]
    print(f"{count} files of {len(TESTED)} formats, " if complete else "", end="")
    print(f"{len(MISREAD)} that others misread, {len(OTHERS) + len(NOT_FOLDED)} that are none")
    for text in wrong:
        print(text)
    return 1 if wrong or (complete and not count) else 0


if __name__ == "__main__":
    sys.exit(main())
