#!/usr/bin/env python3
"""Every file of perf script in the corpus, beside what the tools that fold it print.

1. Samples and periods of every event are counted here once more, line by line.
2. What profkit folds is compared with what stackcollapse-perf.pl and inferno-collapse-perf
   printed, path by path. Those cut names (arguments, quotes), which is done here to ours first.
   Where they differ from profkit, DIFFERENT says how and why; they must still differ so.
3. With -O like=stackcollapse-perf profkit prints the bytes that stackcollapse-perf.pl prints, but for
   LIKE_DIFFERENT, and for the last sample of a file without an empty line at its end.
4. What hotspots prints is compared with perf report --no-children, number by number.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import csv
import gzip
import io
import os
import re
import subprocess
import sys

from corpus import look_at_corpus

INPUTS = [
    "cases/*.perf*.txt",
    "generated/perf-script/*.txt",
    "real/perf/*.txt",
    "real/programs/*.perf.txt",
    "real/workers/*.perf.txt",
    "peers/FlameGraph/test/perf-*.txt",
    "peers/FlameGraph/*-perf-stacks.txt.gz",
    "peers/gprof2dot/tests/perf/*.perf",
    "peers/inferno/tests/data/collapse-perf/*.txt",
    "peers/speedscope/sample/profiles/linux-perf/*.txt",
]
# Tool, file: (its total, why it is wrong). None: the total is right, the names are not.
DIFFERENT = {
    ("stackcollapse", "addr"): (None, "[[stack]] for code in [stack]"),
    ("stackcollapse", "comm-oddities"): (None, "a tab in a comm"),
    ("stackcollapse", "cpp-dwarf-inline"): (None, "functions in (anonymous namespace) left out"),
    ("stackcollapse", "dwarf-inline-srcline"): (None, "source lines taken for functions"),
    ("stackcollapse", "latency"): (3, "comm and tid of -L not recognized"),
    ("stackcollapse", "mixed-reltime-nocpu"): (None, "frames without a file left out"),
    ("inferno", "addr"): (133, "addresses of data taken for frames"),
    ("inferno", "comm-oddities"): (None, "a number in a comm taken for the tid"),
    ("inferno", "cpp-dwarf-inline"): (None, "arguments of templates kept"),
    ("inferno", "dwarf-inline-srcline"): (None, "inlined frames left out"),
    ("inferno", "latency"): (2, "arguments of tracepoints taken for frames"),
    ("inferno", "mixed-multi"): (28, "no period found before more than one blank"),
    ("inferno", "node-perf-map"): (None, "arguments of templates kept"),
    ("inferno", "sched"): (6, "arguments of tracepoints taken for frames"),
    ("inferno", "syscalls-trace"): (1, "arguments of tracepoints taken for frames"),
    ("inferno", "threads-3events.perf"): (339, "no period found before more than one blank"),
    ("inferno", "tod"): (2, "date taken for the time"),
}
# Of -O like=stackcollapse-perf: file, option ("" for none, "*" for any): why it is not the same.
LIKE_DIFFERENT = {
    ("dwarf-inline-srcline", ""): "source lines taken for functions",
    ("latency", ""): "comm and tid of -L not recognized",
    ("syscalls-trace", ""): "events with arguments are added up",
    ("sched", ""): "events with arguments are added up",
    ("mixed-reltime-nocpu", ""): "frames without a file left out",
    ("perf-java-faults-01", "pid"): "made by an old version: the 'L' of Java kept",
    ("perf-java-faults-01", "tid"): "made by an old version: the 'L' of Java kept",
    ("perf-java-stacks-02", "pid"): "made by an old version: the 'L' of Java kept",
    ("perf-java-stacks-02", "tid"): "made by an old version: the 'L' of Java kept",
    ("perf-vertx-stacks-01", "*"): "a function without a name is named after its file here",
    # These are results of inferno, which has no other rules for names but these two.
    ("cpp-stacks-std-function", ""): "inferno keeps parentheses in arguments of templates",
    ("single-event", ""): "inferno makes names of Rust readable, which is --demangle here",
    ("single-line-stacks", ""): "inferno takes cycles and cycles:u for one event",
}
# Tracepoints: stackcollapse-perf.pl does not see their names and adds all events.
ALL_EVENTS = {"sched", "syscalls-trace"}
HEADER = re.compile(
    rb"^(?P<left>.*?)(?P<time>\d+\.(?:\d{9}|\d{6})): +(?:(?P<period>\d+) +)?(?P<event>[^ ]+):(?: |$)")
UNTIMED = re.compile(rb"^(?P<left>[^\t].* )(?P<event>[^ ]+): *$")


def run(*arguments):
    profkit = os.environ.get("PROFKIT", "./profkit")
    done = subprocess.run([profkit, *map(str, arguments)], capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return done.stdout


def count(path):
    """(event, in ns or counts) -> [samples, sum of periods]"""
    sums = collections.defaultdict(lambda: [0, 0])
    data = path.read_bytes()
    for line in (gzip.decompress(data) if path.suffix == ".gz" else data).split(b"\n"):
        if line.startswith((b"\t", b"#", b"|")) or b": PERF_RECORD_" in line:
            continue
        match = HEADER.match(line) or UNTIMED.match(line)
        if match:
            period = match.groupdict().get("period")
            event = match.group("event")
            timed = period and event.startswith((b"cpu-clock", b"task-clock"))
            sums[event.decode(), "ns" if timed else "count"][0] += 1
            sums[event.decode(), "ns" if timed else "count"][1] += int(period or 1)
    return dict(sums)


def counted(path):
    """The same of profkit."""
    text = run("query", "--format", "csv", path,
               "select name.text, unit.text, count(*), sum(value) from sample"
               " join metric on metric.id = metric join string name on name.id = name"
               " join string unit on unit.id = unit group by 1, 2").decode()
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return {(name, unit): [int(n), int(total)] for name, unit, n, total in rows}


def tidy(name, java):
    mark = name[-4:] if name[-4:] in (b"_[k]", b"_[j]") else b""
    return tidy_plain(name[:len(name) - len(mark)], java) + mark


def tidy_plain(name, java):
    if not re.search(rb"\.\(.*\)\.", name):
        name = re.sub(rb"\((?!anonymous namespace\)).*", b"", name)
    name = name.replace(b'"', b"").replace(b"'", b"")
    return name[1:] if java and b"/" in name and name.startswith(b"L") else name


def stacks(text, change):
    sums = collections.Counter()
    for line in text.split(b"\n"):
        if line:
            stack, number = line.rsplit(b" ", 1)
            changed = change(stack.split(b";"))
            if changed:
                sums[b";".join(changed)] += int(number)
    return sums


def folded(path, tool, metric=None, java=True, given=("comm",)):
    options = [f for option in given for f in ("-O", option)]
    options += ["-O", f"metric={metric}"] if metric else []

    def change(frames):
        if frames[1:] == [b"[no stack]"]:
            return None
        if tool == "inferno":
            return frames
        return frames[:1] + [tidy(f, java and frames[0].startswith(b"java")) for f in frames[1:]]

    text = run("convert", "-q", "--to", "folded", *options, path, "-")
    return stacks(text, change)


def theirs(path):
    def change(frames):
        return frames[:1] + [re.sub(rb"_\[i\]$", b"", f) for f in frames[1:]]

    return stacks(path.read_bytes(), change)


def tidy_inferno(sums):
    """inferno's rule for arguments: from the first '(' outside of other brackets."""
    result = collections.Counter()
    for stack, number in sums.items():
        frames = stack.split(b";")
        result[b";".join(frames[:1] + [tidy(f, False) for f in frames[1:]])] += number
    return result


def compare_folded(path, name, tool, expected):
    right = theirs(expected)
    if tool == "stackcollapse" and name in ALL_EVENTS:
        got = collections.Counter()
        for event, _ in counted(path):
            got += folded(path, tool, event)
    else:  # both fold the first event of several
        events = [event for event, _ in count(path)]
        got = folded(path, "stackcollapse", events[0] if len(events) > 1 else None)
    if tool == "inferno" and (tool, name) not in DIFFERENT:
        right = tidy_inferno(right)
    total, why = DIFFERENT.get((tool, name), (None, None))
    if got == right:
        return f"{name}: {tool} is right now, but DIFFERENT says: {why}" if why else None
    if not why:
        stack = next(s for s in sorted(set(got) | set(right)) if got[s] != right[s])
        return f"{name}: {tool}: {stack!r}: {got[stack]}, not {right[stack]}"
    if sum(right.values()) != (total if total else sum(got.values())):
        return f"{name}: {tool}: total {sum(right.values())}, profkit's {sum(got.values())}"
    return None


def check_folded(path):
    """Number of comparisons, and what is wrong."""
    found, wrong = 0, []
    name = path.name.removesuffix(".txt")
    for tool in "stackcollapse", "inferno":
        suffix = "stackcollapse-perf" if tool == "stackcollapse" else "inferno-collapse-perf"
        for stem in (name, path.name):
            expected = path.with_name(f"{stem}.expected-{suffix}.txt")
            if expected.exists():
                found += 1
                wrong.append(compare_folded(path, name, tool, expected))
    return found, [w for w in wrong if w]


def same_names(sums):
    """A function without a name is in libc, and here named after that; the vdso is no part of the
    kernel."""
    result = collections.Counter()
    for stack, number in sums.items():
        stack = re.sub(rb"; ?$|;\[libc-2\.15\.so <[0-9a-f]+>\]$", rb";[libc-2.15.so]", stack)
        result[stack.replace(b"__vdso_gettimeofday_[k]", b"__vdso_gettimeofday")] += number
    return result


def check_flamegraph(root):
    """FlameGraph's own results, with each of its options; they lack the last sample where no empty
    line ends the file."""
    found, wrong = 0, []
    for path in sorted(root.glob("peers/FlameGraph/test/perf-*.txt")):
        cut = not path.read_bytes().endswith(b"\n\n")
        for option in "pid", "tid", "kernel", "jit", "all", "addrs":
            expected = path.parent / "results" / f"{path.stem}-collapsed-{option}.txt"
            with_ids = option in ("pid", "tid")
            right = theirs(expected)
            got = folded(path, "stackcollapse", java=not with_ids,
                         given=[option] if with_ids else ["comm", option])
            right, got = same_names(right), same_names(got)
            missing, extra = got - right, right - got
            found += 1
            if extra or len(missing) != (1 if cut else 0):
                wrong.append(f"{path.name} --{option}: {dict(missing)} is missing there,"
                             f" {dict(extra)} here")
    return found, wrong


def check_inferno(root):
    """inferno's own results."""
    wrong, data = [], root / "peers/inferno/tests/data/collapse-perf"
    for path, name, option in (
            (root / "peers/FlameGraph/example-perf-stacks.txt.gz", "example-perf-stacks", "comm"),
            (data / "cpp-stacks-std-function.txt", "cpp-stacks-std-function", "comm"),
            (data / "single-line-stacks.txt", "single-line-stacks", "comm"),
            (data / "sourcepawn-jitdump.txt", "sourcepawn-jitdump", "jit")):
        end = "-jit" if option == "jit" else ""
        right, got = collections.Counter(), collections.Counter()
        for stack, number in theirs(data / "results" / f"{name}-collapsed{end}.txt").items():
            right[re.sub(rb"\[(\[[^];]*\])\]", rb"\1", stack)] += number
        for event, _ in counted(path):  # there "cycles" and "cycles:u" are one event
            got += folded(path, "stackcollapse", event, given=["comm", option])
        if tidy_inferno(got) != tidy_inferno(right):
            wrong.append(f"{path.name}: {dict(got - right)}, not {dict(right - got)}")
    return 4, wrong


def like_pairs(root):
    """File, option, what the script prints for it."""
    for expected in sorted(root.glob("**/*.expected-stackcollapse-perf*.txt")):
        stem, end = expected.name.split(".expected-stackcollapse-perf")
        path = expected.with_name(stem)
        path = path if path.exists() else expected.with_name(stem + ".txt")
        yield path, end[1:].removesuffix("txt").rstrip("."), expected
    for expected in sorted(root.glob("peers/FlameGraph/test/results/*.txt")):
        stem, option = expected.stem.split("-collapsed-")
        yield expected.parents[1] / f"{stem}.txt", option, expected
    data = root / "peers/inferno/tests/data/collapse-perf"
    for expected in sorted((data / "results").glob("*.txt")):
        stem, option = expected.stem.split("-collapsed")
        path = data / f"{stem}.txt"
        if not path.exists():
            path = root / "peers/FlameGraph/example-perf-stacks.txt.gz"
        yield path, option[1:], expected


def check_like(root):
    found, wrong, differ = 0, [], set()
    for path, option, expected in like_pairs(root):
        if not path.stat().st_size:  # refused
            continue
        given = ["like=stackcollapse-perf"] + (option.split("-") if option else [])
        given = ["event-filter=page-faults" if f == "faults" else f for f in given]
        got = run("convert", "-q", "--to", "folded",
                  *(f for option in given for f in ("-O", option)), path, "-")
        right, found = expected.read_bytes(), found + 1
        ours, theirs_too = (collections.Counter(stacks(t, list)) for t in (got, right))
        data = path.read_bytes()
        cut = path.suffix != ".gz" and data and not data.endswith(b"\n\n")
        if got == right or (cut and not theirs_too - ours and len(ours - theirs_too) == 1):
            continue
        name = path.name.removesuffix(".txt")
        key = (name, "*") if (name, "*") in LIKE_DIFFERENT else (name, option)
        differ.add(key)
        if key not in LIKE_DIFFERENT:
            wrong.append(f"{path.name} {given}: {dict(ours - theirs_too)},"
                         f" not {dict(theirs_too - ours)}")
    wrong += [f"{key} is the same now, but LIKE_DIFFERENT says: {LIKE_DIFFERENT[key]}"
              for key in set(LIKE_DIFFERENT) - differ]
    return found, wrong


def report(path):
    """Percent and symbol of perf report, by event; the first is '' where there is one only."""
    result, event = {}, ""
    for line in path.read_text(errors="replace").splitlines():
        title = re.match(r"# Samples: .* of event '(.*)'", line)
        event = title.group(1) if title else event
        row = re.match(r" +(\d+\.\d\d)% +(?:\d+ +)?(\S+) +(\S.*?) +\[[.k]\] (.*?) *$", line)
        if row and not row.group(4).startswith("0x"):
            result.setdefault(event, {})[row.group(4), row.group(3)] = row.group(1)
    return result


def check_report(path, expected):
    wrong = []
    for event, rows in report(expected).items():
        text = run("query", "--format", "csv", path,
                   "select f.name, coalesce(f.module, ''), sum(self) from cost"
                   " join node on node.id = node join location l on l.id = location"
                   " join functions f on f.id = l.function"
                   " join metric on metric.id = metric join string on string.id = metric.name"
                   + (f" where text = '{event}'" if event else "") + " group by 1, 2").decode()
        found = [(f, m, int(v)) for f, m, v in list(csv.reader(io.StringIO(text)))[1:]]
        whole = sum(v for _, _, v in found)
        shares = collections.defaultdict(float)
        for function, module, value in found:
            shares[function, os.path.basename(module)] += 100 * value / whole
        for key, percent in rows.items():
            if abs(shares.get(key, 0) - float(percent)) > 0.0051:
                wrong.append(f"{path.name}: {event} {key}: {shares.get(key)}, not {percent}")
    return wrong


def look(root):
    files = [f for pattern in INPUTS for f in sorted(root.glob(pattern))
             if ".expected" not in f.name and f.stat().st_size]
    wrong, compared, reports = [], 0, 0
    for path in files:
        if count(path) != counted(path):
            wrong.append(f"{path.name}: {counted(path)}, not {count(path)}")
        found, different = check_folded(path)
        compared += found
        wrong += different
    for check in check_flamegraph, check_inferno, check_like:
        found, different = check(root)
        compared += found
        wrong += different
    for name, expected in (("real/programs/native.perf.txt", "native.perf.expected-report-self.txt"),
                           ("real/perf/mixed-fp.txt", "mixed-fp.expected-report-nochildren.txt"),
                           ("real/perf/mixed-multi.txt", "mixed-multi.expected-report-nochildren.txt"),
                           ("real/perf/python-fp.txt", "python-fp.expected-report-nochildren.txt"),
                           ("real/perf/mixed-nochain.txt", "mixed-nochain.expected-report.txt")):
        reports += 1
        wrong += check_report(root / name, root / name.rsplit("/", 1)[0] / expected)
    print(f"{len(files)} files counted, {compared} folded outputs and {reports} reports compared;"
          f" {len(DIFFERENT)} outputs of others and {len(LIKE_DIFFERENT)} files differ as said")
    return wrong, len(files)


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
