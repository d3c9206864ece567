#!/usr/bin/env python3
"""Every file of the folders of exchange formats, and what is done with it: which test compares which numbers, or why it is refused.

A file that no row has, one that is read as another format than its row says, one that its test does not look at, or one that is
refused with other words, is a failure. Rows that say "here" are compared by this test, by reading the file once more:

- callgrind: the self cost of each function, in the first event;
- gecko: the number of samples with a stack;
- otlp: the number of samples in JSON.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
# pylint: disable=wrong-import-position
import corpus_chrome
import corpus_folded
import corpus_gperftools
import corpus_perf_script
import corpus_pprof
import corpus_py_spy
import corpus_speedscope
from corpus import corpus, query

FOLDERS = ["generated/callgrind", "generated/gperftools", "generated/gprof", "generated/pprof-go", "generated/tachyon", "generated/v8",
           "real/callgrind", "real/gperftools", "real/gprof", "real/node", "real/otlp", "real/pprof-go", "real/tachyon", "peers/gprof2dot",
           "peers/parca", "peers/pprof", "peers/pyroscope", "peers/speedscope"]
# Results of the formats' own tools, which the tests below compare with, and notes.
RESULT = re.compile(r"[.-]expected|SOURCE\.md$|MANIFEST\.json$|annotate(-tree)?\.txt$|google-pprof-text\.txt$|\.(raw|top)\.txt$")
SHARED = "peers/pyroscope/pkg/"
DRIVER = "peers/pprof/internal/driver/testdata/"
SAMPLE = "peers/speedscope/sample/profiles/"

# Format: (which test, the patterns of what it compares), with the numbers that it compares with.
TESTS = {
    # self and inclusive costs, calls and trees as callgrind_annotate prints them
    "callgrind": [("peer_callgrind", ["real/callgrind/*.out", "generated/callgrind/*.out*"]),
                  ("here", ["peers/*/tests/callgrind/*", "peers/gprof2dot/tests/compare/callgrind/test/*", SAMPLE + "callgrind/*", DRIVER + "*.callgrind"])],
    # types, mappings, and values by stack and labels, as go tool pprof -raw prints them
    "pprof": [("corpus_pprof", [f"{folder}/**/*" for folder in corpus_pprof.FOLDERS] + corpus_pprof.MORE)],
    "gperftools": [("corpus_gperftools", corpus_gperftools.PATTERNS)],
    # self, total and calls of functions and of calls, as gprof prints them
    "gprof": [("corpus_gprof", ["generated/gprof/*.txt", "peers/gprof2dot/tests/prof/*.prof"])],
    "gmon": [("corpus_gprof", ["real/gprof/*.gmon.out"])],
    # times of call paths, lines and samples, which the test reads from the file, and totals of real/node/totals.py
    "cpuprofile": [("corpus_cpuprofile", ["**/*.cpuprofile"])],
    "heapprofile": [("corpus_heapprofile", ["**/*.heapprofile"])],
    # stacks with counts, and time, thread, state and stack of samples, as Python's own replay gave them
    "tachyon": [("corpus_tachyon", ["*/tachyon/*.bin"])],
    "tachyon-jsonl": [("corpus_tachyon", ["*/tachyon/*.jsonl"])],
    # self and total of functions, by type, added up when the files were made
    "otlp": [("corpus_otlp", ["real/otlp/*"]), ("here", [SHARED + "test/integration/testdata/otel-ebpf-profile.pb.json"])],
    "gecko": [("here", [SAMPLE + "Firefox/*/*.json", "real/tachyon/threads_live.gecko.json"])],
    # the tests of formats that are others' samples here
    "pstats": [("corpus_pstats", ["**/*.pstats"])],
    "chrome": [("corpus_chrome", corpus_chrome.WHERE + ["real/node/*.json"])],
    "folded": [("corpus_folded", corpus_folded.WHERE)],
    "perf-script": [("corpus_perf_script", corpus_perf_script.INPUTS)],
    "py-spy": [("corpus_py_spy", corpus_py_spy.WHERE + corpus_folded.WHERE)],
    "speedscope": [("corpus_speedscope", corpus_speedscope.WHERE + [corpus_speedscope.REFUSED])],
}

# What is refused: with which words.
TEXT, JSON, ELF, GRAPH = "plain text", "JSON of another kind", "a program or library (ELF)", "a graph for Graphviz"
PYTHON, RAW, PRINTED, UNKNOWN, EMPTY = "Python source", "what pprof -raw prints", "what pprof prints", "binary data of an unknown kind", "the file is empty"
REFUSED = [
    ("*/*/*.elf", ELF), ("real/*/*.c", TEXT), ("real/pprof-go/gosvc.go", "Go source"), ("real/node/totals.py", "a script"), ("real/otlp/otlp.py", PYTHON),
    ("real/tachyon/programs/*.py", PYTHON), ("generated/gprof/gprof-execcounts.txt", TEXT), ("generated/pprof-go/trace.out", "an execution trace of Go"),
    # pprof: what it prints, its sources, programs; sample types of Pyroscope's own stores
    ("peers/pprof/profile/testdata/*.string", RAW), (DRIVER + "*.dot*", GRAPH), ("peers/pprof/internal/graph/testdata/*.dot", GRAPH),
    (DRIVER + "*.weblist", "an HTML page"), (DRIVER + "pprof.cpu*.traces", PRINTED), (DRIVER + "*.disasm", PRINTED), (DRIVER + "pprof.*", TEXT), ("peers/pprof/internal/report/testdata/source.dot", GRAPH),
    ("peers/pprof/internal/report/testdata/source.rpt", PRINTED), ("peers/pprof/internal/report/testdata/source*", TEXT), ("peers/pprof/internal/report/testdata/sample.bin", ELF),
    ("peers/pprof/internal/binutils/testdata/exe_linux_64", ELF), ("peers/pprof/internal/binutils/**/Info.plist", "XML of another kind"),
    ("peers/pprof/internal/binutils/**/exe_mac_64", "a program (Mach-O)"), ("peers/pprof/internal/binutils/testdata/malformed_macho", "a program (Mach-O)"),
    (SHARED + "model/testdata/stacktraces/*.pb", UNKNOWN), (SHARED + "og/convert/jfr/testdata/dump?.labels.pb.gz", UNKNOWN),
    (SHARED + "**/empty.txt", EMPTY), (SHARED + "**/invalid_max_*.txt", EMPTY), (SHARED + "**/*.txt", TEXT), (SHARED + "block/testdata/compacted.golden", JSON),
    (SHARED + "**/*.json", JSON), (SHARED + "**/*.json.gz", JSON),
    # formats that profkit does not read
    ("peers/speedscope/src/import/__snapshots__/instruments.*", UNKNOWN), ("peers/speedscope/src/import/__snapshots__/*", TEXT),
    (SAMPLE + "Instruments/*/*", TEXT), (SAMPLE + "haskell/*", JSON), (SAMPLE + "java-flight-recorder/*", "a recording of Java (JFR)"),
    (SAMPLE + "node/8.5.0/*", "a log of V8"), (SAMPLE + "papyrus/*", TEXT), (SAMPLE + "pmcstat/*", TEXT), (SAMPLE + "stackprof/*", "a profile of stackprof"),
    (SAMPLE + "speedscope/invalid/*", "refused by speedscope, too"),
    ("peers/gprof2dot/tests/axe/*", TEXT), ("peers/gprof2dot/tests/compare/axe/*/*", TEXT), ("peers/gprof2dot/tests/dtrace/*", "what dtrace prints"),
    ("peers/gprof2dot/tests/hprof/*", "a heap dump of Java"), ("peers/gprof2dot/tests/json/*", JSON), ("peers/gprof2dot/tests/pstats/*.txt", TEXT),
    ("peers/gprof2dot/tests/sleepy/*", "a zip archive"), ("peers/gprof2dot/tests/sysprof/*", "XML of another kind"), ("peers/gprof2dot/tests/xperf/*", TEXT),
    ("peers/gprof2dot/tests/prof/issue88.prof", "no functions: gprof saw no samples and no calls"),
    # recordings that were broken on purpose: see MANIFEST.json there
    ("generated/tachyon/bad-record-cut.bin", "a record that ends too early"), ("generated/tachyon/bad-frame-index.bin", "a frame that the table does not have"),
    ("generated/tachyon/bad-offset-far.bin", "the header does not say where the names are"), ("generated/tachyon/bad-rle-huge.bin", "a run of more samples"),
    ("generated/tachyon/bad-version2.bin", "version 2; 1 is known"), ("generated/tachyon/bad-compression7.bin", "compression 7 is not known"),
    ("generated/tachyon/bad-short.bin", "the header is cut off here"), ("generated/tachyon/bad-depth300.bin", "a stack of more than 256 frames"),
    ("generated/tachyon/bad-kind9.bin", "a record of an unknown kind"), ("generated/tachyon/bad-strings-huge.bin", "the tables of 4294967295 strings"),
    ("generated/tachyon/bad-suffix-underflow.bin", "a stack that shares more frames"), ("generated/tachyon/bad-magic.bin", UNKNOWN),
]


def info(path):
    done = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "info", "-q", "--format", "json", str(path)], capture_output=True, check=False)
    return json.loads(done.stdout) if not done.returncode else done.stderr.decode(errors="replace")


def text_of(path):
    return (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", errors="replace").read()


def costs_by_function(path):
    """Of the first event: what lines with costs say, but for those of calls and jumps."""
    names, sums, function, skip, positions = {}, collections.Counter(), "", False, 1
    for line in text_of(path).splitlines():
        line = line.strip()
        if line.startswith("positions:"):
            positions = len(line.split()) - 1
        found = re.match(r"(c?fn)=\s*(\(\d+\))?\s*(.*)$", line)
        if found:
            number, name = found[2], found[3]
            name = names.setdefault(number, name) if number and name else names[number] if number else name
            if number and found[3]:
                names[number] = name = found[3]
            function = name if found[1] == "fn" else function
        elif line.startswith(("calls=", "jump=", "jcnd=")):
            skip = True
        elif re.match(r"[\d+*-]", line):
            numbers = line.split()
            if not skip and len(numbers) > positions:
                sums[function] += int(numbers[positions])
            skip = False
    return +sums


# speedscope's own sample has costs relative to those of the line before, which neither the specification nor callgrind_annotate
# knows: two of them are no numbers.
RELATIVE = "callgrind.subposition-compression.log"
FACTORS = (1, 10, 10 ** 6, 2 ** 20)  # "Time_(10ns)" of xdebug, "cpu(ms)" and "inuse_space(MB)" of pprof


def compare_callgrind(path, found):
    if path.name == RELATIVE:
        assert [r["count"] for r in found["repairs"]] == [2], found["repairs"]
        return 1
    ours = {name: value for name, value in query(path, "select (select text from string where id = f.name), sum(c.self) from cost c join node n "
            "on n.id = c.node join location l on l.id = n.location join function f on f.id = l.function where c.metric = 1 group by 1") if value}
    theirs = costs_by_function(path)
    factor = sum(ours.values()) // (sum(theirs.values()) or 1)
    assert factor in FACTORS, factor
    assert ours == {name: value * factor for name, value in theirs.items()}, "costs of functions"
    return len(ours)


def gecko_samples(profile):
    count = 0
    for thread in profile.get("threads", ()):
        samples = thread.get("samples", {})
        if "schema" in samples:
            column = samples["schema"]["stack"]
            count += sum(row[column] is not None for row in samples["data"])
        else:
            count += sum(stack is not None for stack in samples["stack"])
    return count + sum(map(gecko_samples, profile.get("processes", ())))


def compare_gecko(path, found):
    profile = json.loads(text_of(path))
    count = gecko_samples(profile.get("profile", profile))
    assert found["samples"] == count, f"{found['samples']} samples, not {count}"
    return count


def compare_otlp(path, found):
    count = sum(len(sample.get("timestampsUnixNano") or sample.get("values") or [0]) for resource in json.loads(text_of(path))["resourceProfiles"]
                for scope in resource["scopeProfiles"] for profile in scope["profiles"] for sample in profile.get("samples", profile.get("sample", ())))
    assert found["samples"] == count, f"{found['samples']} samples, not {count}"
    return count


HERE = {"callgrind": compare_callgrind, "gecko": compare_gecko, "otlp": compare_otlp}


def look(path, tested, refused, count):
    found = info(path)
    if isinstance(found, str):
        assert path in refused, f"in no row: {found.strip()}"
        assert refused[path] in found, f"refused with other words: {found.strip()}"
        count["refused"] += 1
        return
    test = tested.get((found["format"], path))
    assert test, f"no row says which test compares this file of {found['format']}"
    count[test] += 1
    if test == "here":
        count["numbers"] += HERE[found["format"]](path, found)


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return 77
    refused, count, failed = {}, collections.Counter(), 0
    tested = {(format_, path): test for format_, tests in TESTS.items() for test, patterns in tests for pattern in patterns for path in root.glob(pattern)}
    for pattern, words in REFUSED:
        for path in root.glob(pattern):
            refused.setdefault(path, words)
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        if not path.is_file() or RESULT.search(str(path.relative_to(root))):
            continue
        try:
            look(path, tested, refused, count)
        except (AssertionError, ValueError, KeyError) as error:
            failed += 1
            print(f"{path.relative_to(root)}: {error}"[:400])
    print(", ".join(f"{test}: {n}" for test, n in sorted(count.items())))
    return 1 if failed or count["refused"] < 100 or count["here"] < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
