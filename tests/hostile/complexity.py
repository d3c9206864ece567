#!/usr/bin/env python3
"""Inputs made to be slow, or to take much memory or disk: what profkit does grows as they do.

Each is made in two sizes, the second four times the first. What grows with the square takes 16 times as long
then, and is made so large that this is many seconds; what does not is far from that, so that busy machines
do not matter. Memory and output are limited in proportion to the input.

    make complexity                                   four times as large, and the figures of each
    PROFKIT=build/profkit tests/hostile/complexity.py [CASE...]
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

LARGE = os.environ.get("COMPLEXITY") == "large"
SANITIZE = bool(os.environ.get("SANITIZE"))
SECONDS = 40 * (4 if LARGE else 1)  # of the processor, at most
QUICK = 0.3  # seconds: below that, ratios say nothing
RATIO = 8  # of the times of 4n and n
MB = 1 << 20
cases = []


def case(n, *commands, memory=60, output=60):
    """A generator of inputs of size n, and what is run on them (IN is the input once more, "|" a blank); memory and
    output as multiples of the input."""
    def add(make):
        cases.append((make.__name__, make, n, commands or ("info",), memory, output))
        return make
    return add


def trace(events):
    return b"[" + b",\n".join(events) + b"]"


def spans(starts, durations, tid=b"1"):
    return [b'{"ph":"X","pid":1,"tid":%s,"ts":%d,"dur":%d,"name":"a"}' % (tid, *span) for span in zip(starts, durations)]


def arrows(times):
    return [b'{"ph":"s","id":%d,"cat":"c","pid":1,"tid":1,"ts":%d,"name":"x"},'
            b'{"ph":"f","bp":"e","cat":"c","id":%d,"pid":1,"tid":1,"ts":%d,"name":"x"}' % (i, t, i, t + 1)
            for i, t in enumerate(times)]


def mix(a, b):
    return (a * b ^ a * b >> 64) & (1 << 64) - 1


def same_hash():
    """The begin of names of 32 bytes of which all have the hash 0, whatever follows, if there is no seed: one factor
    of the last product is 0."""
    for i in range(1 << 30):
        begin = b"f%015d" % i
        h = mix(int.from_bytes(begin[:8], "little") ^ 0xA0761D6478BD642F,
                int.from_bytes(begin[8:], "little") ^ 0x2545F4914F6CDD1D ^ 32)
        rest = (h ^ 0xE7037ED1A0B428DB).to_bytes(8, "little")
        if rest.isalnum():
            return begin + rest


BEGIN = same_hash()
SVG = b'''<?xml version="1.0"?>%s<svg width="1200" height="100"><text id="title">Flame Graph</text><g id="frames">
<g><title>all (10 samples, 100%%)</title><rect x="10" y="50" width="1180" height="15"/></g>
%s</g></svg>'''


@case(100000, "info -f folded")
def names_of_one_hash(n):
    return b"".join(BEGIN + b"%08d 1\n" % i for i in range(n))


@case(100000)
def events_of_one_hash(n):
    return trace(b'{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":1,"name":"%s%08d"}' % (i * 2, BEGIN, i) for i in range(n))


@case(200000)
def profiles_of_v8(n):
    return trace(b'{"ph":"P","name":"Profile","id":"%d","pid":1,"tid":1,"ts":1,"args":{}}' % i for i in range(n))


@case(40, memory=0)
def large_ids_of_v8(n):
    node = b'{"nodes":[{"id":67000000,"callFrame":{"functionName":"f"}}]}'
    return trace(b'{"ph":"P","name":"ProfileChunk","id":"%d","pid":1,"tid":1,"ts":1,"args":{"data":{"cpuProfile":%s}}}'
                 % (i, node) for i in range(n))


PART = "slice --time 50%..51% -t chrome -o OUT"


@case(120000, "info", PART)
def asynchronous_ends_without_begins(n):
    return trace([b'{"ph":"b","cat":"c","id":1,"pid":1,"tid":1,"ts":%d,"name":"a"}' % i for i in range(n)] +
                 [b'{"ph":"e","cat":"c","id":1,"pid":1,"tid":1,"ts":%d,"name":"b"}' % (n + i) for i in range(n)])


@case(120000, "info", PART)
def ends_without_begins(n):
    return trace([b'{"ph":"B","pid":1,"tid":1,"ts":%d,"name":"a"}' % i for i in range(n)] +
                 [b'{"ph":"E","pid":1,"tid":1,"ts":%d,"name":"b"}' % (n + i) for i in range(n)])


@case(300000, PART, memory=0.1)
def parts_of_long_traces(n):
    return trace(b'{"ph":"B","pid":1,"tid":1,"ts":%d,"name":"a"},{"ph":"X","pid":1,"tid":2,"ts":%d,"dur":5,"name":"b"},'
                 b'{"ph":"s","id":%d,"cat":"c","pid":1,"tid":1,"ts":%d,"name":"x"},'
                 b'{"ph":"f","id":%d,"cat":"c","pid":1,"tid":2,"ts":%d,"name":"x"},'
                 b'{"ph":"b","id":%d,"cat":"c","pid":1,"ts":%d,"name":"d"},{"ph":"e","id":%d,"cat":"c","pid":1,"ts":%d,"name":"d"},'
                 b'{"ph":"E","pid":1,"tid":1,"ts":%d,"name":"a"}'
                 % (i, i, i, i, i, i, i, i, i, i + 1, i + 9) for i in range(0, 10 * n, 10))


@case(80000, "info", "workers")
def overlapping_spans_and_threads(n):
    return trace(spans(range(n), [n + 5] * n) +
                 [b'{"ph":"X","pid":1,"tid":%d,"ts":1,"dur":1,"name":"a"}' % (i + 2) for i in range(n)])


@case(80000)
def arrows_after_nested_spans(n):
    return trace(spans(range(n), range(n, 0, -1)) + arrows(range(2 * n, 3 * n)))


@case(50000)
def arrows_after_overlapping_spans(n):
    return trace(spans(range(n), [n] * n) + arrows(range(3 * n, 4 * n)))


@case(40000, "hotspots", "merge IN -t json -o OUT")
def metrics_of_samples(n):
    samples = b",".join(b'{"ts":%d,"pid":1,"tid":1,"name":"m%d","sf":1,"weight":1}' % (i, i) for i in range(n))
    return b'{"traceEvents":[],"stackFrames":{"1":{"name":"f"}},"samples":[%s]}' % samples


@case(40000, "merge IN -t store -o OUT")
def overlapping_spans_twice(n):
    return trace(spans(range(n), [n] * n))


@case(60000, "query SELECT|count(*),sum(length(value))|FROM|argument")
def members_of_arguments(n):
    members = b",".join(b'"k%d":%d' % (i, i) for i in range(n))
    return trace([b'{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a","args":{%s}}' % members])


@case(40000, "info -f perf-script")
def names_of_one_thread(n):
    return b"".join(b"x%d 1/1 [000] %d.000001: 1 cycles: \n\t1000 f+0x1 (/bin/x)\n\n" % (i, i) for i in range(n))


@case(100000, "summary -f perf-script")
def threads_without_names(n):
    return b"".join(b"  1/%d [000] %d.000001: 1 cycles: \n\t1000 f+0x1 (/bin/x)\n\n" % (i, i) for i in range(n))


@case(100000, "summary -f perf-script")
def processes_and_threads_that_cancel(n):
    return b"".join(b"x %d/%d [000] %d.000001: 1 cycles: \n\t1000 f+0x1 (/bin/x)\n\n" % (i, i << 32, i) for i in range(n))


@case(6400000, "summary")
def recursion_in_folded(n):
    return b"main" + b";f" * n + b" 1\n"


@case(400000, "summary", "flamegraph IN -o OUT", "convert IN -t speedscope -o OUT")
def recursion_in_perf(n):
    return b"x 1/1 [000] 1.000001: 1 cycles: \n" + b"\t1000 f+0x1 (/bin/x)\n" * n + b"\n"


@case(400000, "summary", "flamegraph IN -o OUT", "convert IN -t speedscope -o OUT")
def recursion_in_traces(n):
    return trace(spans(range(n), range(2 * n, 0, -2)))


@case(40000, "callgraph --to svg --node-thres 0 --edge-thres 0 -o OUT")
def functions_that_all_call_each_other(n):
    m = int(n ** 0.5)
    return b"".join(b"f%d;f%d 1\n" % (a, b) for a in range(m) for b in range(m))


@case(400000, "summary -f flamegraph-svg")
def attributes_of_svg(n):
    return SVG % (b"", b"<g " + b" ".join(b'a%d=""' % i for i in range(n)) + b"/>")


@case(100000, "summary -f flamegraph-svg")
def namespaces_of_svg(n):
    return SVG % (b"", b"".join(b'<g xmlns:n%d="n">' % i for i in range(n)) + b"<b/>" * n + b"</g>" * n)


@case(4000, "summary -f flamegraph-svg")
def declared_attributes_of_svg(n):
    declared = b"<!DOCTYPE svg [<!ATTLIST b %s>]>" % b" ".join(b'a%d CDATA ""' % i for i in range(n))
    return SVG % (declared, b"<b/>" * n)


def limits():
    if not SANITIZE:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))


def run(command, folder):
    """Seconds, MB, bytes written, status, messages."""
    output, messages = folder / "OUT", folder / "messages"
    output.unlink(missing_ok=True)
    with open(folder / "printed", "wb") as printed, open(messages, "wb") as err:
        child = subprocess.Popen([os.environ["PROFKIT"], *command], stdin=subprocess.DEVNULL, stdout=printed, stderr=err,
                                 preexec_fn=limits, cwd=folder)
        _, status, usage = os.wait4(child.pid, 0)
    size = (folder / "printed").stat().st_size + (output.stat().st_size if output.exists() else 0)
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size, os.waitstatus_to_exitcode(status),
            messages.read_bytes())


def own_memory():
    """MB of this program, which a child has too until it runs another one: its peak is at least that."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / MB


def judge(runs, sizes, memory, output):
    wrong = []
    (small, *_), (large, peak, size, status, messages) = runs
    if large > RATIO * max(small, QUICK):
        wrong.append(f"{small:.2f} s, four times as much: {large:.2f} s")
    if peak > max(60, own_memory() + 1) + memory * sizes[1] / MB and not SANITIZE:
        wrong.append(f"{peak:.0f} MB for {sizes[1] / MB:.1f} MB")
    if size > MB + output * sizes[1]:
        wrong.append(f"{size / MB:.0f} MB are written for {sizes[1] / MB:.1f} MB")
    if status not in (0, 2) or (status == 2 and not messages.startswith(b"profkit: ")):
        wrong.append(f"status {status}: {messages[-300:]!r}")
    return wrong


def check(folder, name, make, n, commands, memory, output):
    """The wrong ones."""
    inputs = []
    for part in (n // 4, n):
        inputs.append(folder / f"{name}-{part}")
        inputs[-1].write_bytes(make(part * (4 if LARGE else 1)))
    sizes = [i.stat().st_size for i in inputs]
    wrong = []
    for command in commands:
        words = command.split()
        runs = [run([words[0], str(i), *(str(i) if w == "IN" else w.replace("|", " ") for w in words[1:])], folder)
                for i in inputs]
        found = judge(runs, sizes, memory, output)
        wrong += [f"{name}: {command}: {f}" for f in found]
        if LARGE:
            print(f"{name}: {command}: {sizes[1] / MB:.1f} MB: {runs[0][0]:.2f} s, {runs[1][0]:.2f} s, {runs[1][1]:.0f} MB, "
                  f"{runs[1][2] / MB:.1f} MB written", flush=True)
    for i in inputs:
        i.unlink()
    return wrong


def main():
    chosen = [c for c in cases if not sys.argv[1:] or c[0] in sys.argv[1:]]
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        for c in chosen:
            wrong += check(pathlib.Path(temporary), *c)
    print("\n".join(wrong))
    print(f"{len(chosen)} inputs, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not chosen)


if __name__ == "__main__":
    main()
