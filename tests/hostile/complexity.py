#!/usr/bin/env python3
"""Inputs made to be slow, or to take much memory or disk, and every command on plain inputs of several shapes: what
profkit does grows as they do, with an exponent of at most 1.15.

Each is made in two sizes, the second four times the first. Where the processor time seems to grow faster, which is
often the cache or another program, instructions are counted with valgrind, and these decide, unless it takes 8 times as long.
Without valgrind, and where that would take long, only that is wrong. Memory and output are limited in proportion to the input.

    make complexity                                   four times as large, and the figures of each
    PROFKIT=build/profkit tests/hostile/complexity.py [CASE...]
"""
import json
import marshal
import os
import pathlib
import pickle
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from random import Random

LARGE = os.environ.get("COMPLEXITY") == "large"
SECONDS = 40 * (4 if LARGE else 1)  # of the processor, at most
VALGRIND = shutil.which("valgrind")
RATIO = 4 ** 1.15  # of the instructions of 4n and n, and of their memory
SURE = 8  # the same of the times, which caches lengthen: too much, whatever the instructions are
SUSPECT = 4 ** 1.1  # of the times: instructions are counted
QUICK = 0.1  # seconds: below that, SURE says nothing
MB = 1 << 20
cases = []


def case(n, *commands, memory=60, output=60):
    """A generator of inputs of size n, and what is run on them (IN is the input once more, "|" a blank); memory and
    output as multiples of the input."""
    def add(make):
        cases.append((make.__name__, make, n, commands or ("info",), memory, output))
        return make
    return add


# What a user may ask of any profile. Folded stacks are not among it: of a trace with many spans on top of one another,
# all stacks together are as long as the square of their number.
EVERY = tuple(c.strip() for c in """
    info; summary; hotspots; hotspots --format csv; callers; callees; tree; workers; diff IN; diff --view tree IN;
    diff --format json IN; check -b IN; callgraph -t dot -o OUT; callgraph -t dot -n 0 --node-thres 0 -o OUT; flamegraph -o OUT;
    flamegraph --inverted -o OUT; flamegraph -o OUT --diff IN; merge IN -t store -o OUT; convert -t chrome -o OUT;
    convert -t json -o OUT; convert -t profkit-baseline -o OUT; convert -t pstats -o OUT; convert -t speedscope -o OUT;
    convert -t store -o OUT; store add OUT IN; query SELECT|count(*),sum(total)|FROM|function_total;
    query SELECT|count(*)|FROM|node|JOIN|cost|USING|(run)|WHERE|cost.node=node.id""".split(";"))


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


def varint(value):
    return b"" if value is None else bytes([value & 127 | (value > 127) << 7]) + varint(value >> 7 or None)


def field(number, content):
    """A field of a protocol buffer."""
    return varint(number << 3) + varint(content) if isinstance(content, int) else varint(number << 3 | 2) + varint(len(content)) + content


def xplane_of_one_text(n, argument):
    """n events with an argument that is one long text."""
    event = field(4, field(1, 1) + field(2, 1000) + field(3, 500) + field(4, field(1, 1) + field(7, 2)))
    stats = [field(5, field(1, i) + field(2, field(1, i) + field(2, name))) for i, name in ((1, argument), (2, b"x" * (8 * n)))]
    names = field(4, field(1, 1) + field(2, field(1, 1) + field(2, b"e")))
    return field(1, field(1, 1) + field(2, b"/device:GPU:0") + field(3, field(2, b"XLA Ops") + event * n) + names + b"".join(stats))


@case(40000, "info", memory=200)
def steps_of_one_long_name(n):
    return xplane_of_one_text(n, b"step_name")


@case(40000, "info", memory=200)
def copies_of_one_long_text(n):
    return xplane_of_one_text(n, b"memcpy_details")


@case(40000, "info", memory=200)
def switches_to_threads_of_one_long_name(n):
    switches = [field(f, b"".join(varint(v) for v in values))
                for f, values in ((1, [1] * n), (2, [1] * n), (3, range(1, n + 1)), (6, [0] * n))]
    return field(1, field(1, field(1, 0) + field(4, field(5, b"x" * (8 * n)) + b"".join(switches))) + field(79, 1))


@case(40000, "info", memory=200)
def frames_of_very_many_inlined_functions(n):
    interned = field(19, field(1, 1)) + field(6, field(1, 1) + field(3, 1) + field(4, 8)) + field(5, field(1, 1) + field(2, b"f")) + \
        b"".join(field(6, field(1, i) + field(2, 1) + field(3, 1) + field(4, 8 * i)) for i in range(2, n)) + \
        b"".join(field(7, field(1, i) + field(2, i) + field(2, 1)) for i in range(2, n))
    samples = b"".join(field(1, field(8, i) + field(66, field(2, 1) + field(3, 1) + field(4, i))) for i in range(2, n))
    lines = b"".join(field(2, field(1, b"f%d" % i)) for i in range(n))
    return field(1, field(41, 1) + field(12, interned)) + samples + field(1, field(61, field(3, field(1, 8) + lines)))


# A long text that n places refer to.

@case(40000, "info", memory=200)
def functions_of_one_long_file(n):
    functions = b"".join(field(5, field(1, i) + field(2, 1) + field(4, 3) + field(5, i)) + field(4, field(1, i) + field(4, field(1, i))) +
                         field(2, field(1, i) + field(2, 1)) for i in range(1, n + 1))
    return field(1, field(1, 1) + field(2, 2)) + b"".join(field(6, s) for s in (b"", b"cpu", b"nanoseconds", b"x" * (8 * n))) + functions


@case(40000, "info", memory=200)
def dropped_functions_of_one_long_name(n):
    return functions_of_one_long_file(n).replace(b"\x10\x01\x20\x03", b"\x10\x03\x20\x01") + field(6, b"y+") + field(7, 4)


@case(40000, "info -f otlp", memory=200)
def samples_of_one_long_attribute(n):
    strings = b"".join(field(5, s) for s in (b"", b"cpu", b"count", b"thread.id"))
    attributes = field(6, b"") + field(6, field(1, 3) + field(2, field(1, b"1" * (8 * n))))
    samples = b"".join(field(2, field(2, varint(1)) + field(4, varint(i))) for i in range(1, n + 1))
    return field(1, field(2, field(2, field(1, field(1, 1) + field(2, 2)) + samples))) + field(2, strings + attributes)


def gecko(n, text, library, frame):
    return json.dumps({"meta": {"version": 24, "interval": 1, "processType": 0, "stackwalk": 1}, "libs": [library], "threads": [{
        "name": "main", "tid": 1, "pid": 1, "stringTable": ["0x12", text],
        "frameTable": {"schema": {"location": 0, "line": 1}, "data": [[frame, i] for i in range(n)]},
        "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[None, i] for i in range(n)]},
        "samples": {"schema": {"stack": 0, "time": 1}, "data": [[i, i] for i in range(n)]}}]}).encode()


@case(40000, "info", memory=200)
def frames_of_one_long_location(n):
    return gecko(n, "x" * (8 * n), {"breakpadId": "x", "name": "x", "start": 0, "end": 1}, 1)


@case(40000, "info", "hotspots --like pprof --focus x$", memory=200)
def addresses_in_one_library_of_a_long_name(n):
    return gecko(n, "y", {"breakpadId": "x", "name": "x" * (8 * n), "start": 1, "end": 99}, 0)


@case(20000, "info", "hotspots --like pprof", "hotspots --like pprof --granularity line",
      "hotspots --like pprof --focus x$", memory=200)
def frames_of_one_long_name(n):
    name = "x" * (8 * n)
    frames = [{"filename": "f", "name": name, "line": i} for i in range(n)]
    return pickle.dumps({"segments": [], "device_traces": [[{"action": "alloc", "addr": 512 * i, "size": 512, "stream": 0, "frames": [f],
                                                             "time_us": i} for i, f in enumerate(frames)]]}, 4)


@case(8000, "info", memory=200)
def streams(n):
    events = [{"action": "alloc", "addr": 512 * i, "size": 512, "stream": i % (n // 2), "frames": [], "time_us": i} for i in range(8 * n)]
    return pickle.dumps({"segments": [], "device_traces": [events]}, 4)


@case(400000, "hotspots -f folded --like pprof")
def name_of_many_brackets(n):
    return b"f::g" + b"<a>" * n + b" 1\n"


@case(40000, "info", memory=200)
def functions_of_one_long_module(n):
    file = "x" * (8 * n)
    return marshal.dumps({(file, 0, f"n{i}"): (1, 1, 1.0, 1.0, {}) for i in range(n)}, 4)


@case(40000, "info", memory=200)
def frames_of_austin_of_one_long_name(n):
    def number(value):
        return bytes([value & 63 | (value > 63) << 7]) + (varint(value >> 6) if value > 63 else b"")
    return b"MOJ\x03\x01mode\0wall\0\x0b" + number(5) + b"x" * (8 * n) + b"\0" + b"".join(
        b"\x03" + number(i) + number(5) + number(5) + bytes(4) for i in range(10, n + 10))


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


@case(40000, "workers", "workers --by task")
def event_loops(n):
    run = (b'{"ph":"X","cat":"fee","pid":1,"tid":%d,"ts":%d,"dur":%d,'
           b'"name":"Handle._run (/usr/lib/python3/asyncio/events.py:78)"}')
    return trace([run % (i + 2, i, 9 * n) for i in range(n)] + spans(range(n, 3 * n, 2), [1] * n) + spans([10 * n], [1]))


@case(40000, "workers --by thread")
def main_threads(n):
    return trace(b'{"ph":"M","pid":%d,"tid":%d,"name":"thread_name","args":{"name":"MainThread"}},'
                 b'{"ph":"X","pid":%d,"tid":%d,"ts":%d,"dur":5,"name":"a"}' % (i, i, i, i, i) for i in range(1, n + 1))


@case(40000, "workers -f py-spy")
def processes_that_began_each_other(n):
    return (b'process 1:"a";process 2:"a";f (a.py:1) 5\nprocess 2:"a";process 1:"a";f (a.py:1) 5\n' +
            b"".join(b'process 2:"a";process %d:"a";f (a.py:1) 9\n' % i for i in (3, 4)) +
            b"".join(b'process %d:"b%d";f (a.py:1) 9\n' % (i, i) for i in range(5, n)))


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


@case(20000, "query SELECT|count(*)|FROM|argument")
def members_of_begins_and_ends(n):
    return trace(b'{"ph":"%s","pid":1,"tid":1,"ts":%d,"name":"a","args":{%s}}'
                 % (phase, time, b",".join(b'"%s%d":%d' % (phase, i, i) for i in range(n)))
                 for time, phase in enumerate((b"B", b"E")))


@case(20000, "query SELECT|count(*)|FROM|argument", memory=200)
def nested_members_of_begins_and_ends(n):
    """Perfetto, which joins them in one dictionary."""
    def event(kind):
        entries = b"".join(field(11, field(10, b"%d_%d" % (kind, i)) + field(4, i)) for i in range(n))
        return field(1, field(8, kind) + field(10, 1) + field(11, field(9, kind) + field(11, 1) + field(23, b"a") +
                                                           field(4, field(10, b"d") + entries)))
    return field(1, field(60, field(1, 1) + field(2, b"t"))) + event(1) + event(2)


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


@case(10000, "summary -f flamegraph-svg", output=200)
def attributes_of_boxes(n):
    return SVG % (b"", b"".join(b'<g a%d="" b%d=""><title>f%d (1 samples, 1%%)</title><rect x="10" y="30" width="9" height="15"/></g>'
                                % (i, i, i) for i in range(n)))


@case(4000, "summary -f flamegraph-svg")
def declared_attributes_of_svg(n):
    declared = b"<!DOCTYPE svg [<!ATTLIST b %s>]>" % b" ".join(b'a%d CDATA ""' % i for i in range(n))
    return SVG % (declared, b"<b/>" * n)


@case(200000, *EVERY, memory=400, output=200)
def recursion(n):
    return b"main" + b";f" * n + b" 1\n" + b"main" + b";f" * (n // 2) + b";g 3\n"


@case(600000, *EVERY, memory=400, output=200)
def mutual_recursion(n):
    return b"".join(b"main" + b";a;b;c" * (i * n // 3000) + b" %d\n" % (i + 1) for i in range(50))


@case(40000, *EVERY, memory=400, output=200)
def functions(n):
    return b"".join(b"main;f%d;g%d 1\n" % (i, i % 100) for i in range(n))


@case(10000, *EVERY, memory=400, output=200)
def paths(n):
    random = Random(1)
    return b"".join(b";".join(b"f%d" % random.randrange(20 * d + 1) for d in range(12)) + b" %d\n" % (i + 1) for i in range(n))


@case(20000, *EVERY, "timeline -o OUT", "ops", "slice --time 10%..60% -t speedscope -o OUT", "hotspots --by-worker", memory=400,
      output=200)
def spans_of_threads(n):
    return trace(b'{"ph":"X","pid":%d,"tid":%d,"ts":%d,"dur":5,"name":"f%d"}' % (i % 7, i % (n // 20), i, i % 1000)
                 for i in range(n))


@case(16000, "info", "hotspots", memory=400)
def idle_deep_stack_of_shared_thread(n):
    """py-spy: two processes with one thread id; the stack of one is deep, and each sample comes after an idle time."""
    def event(phase, name, pid, time, file=b"a.py"):
        return (b'{"args":{"filename":"%s","line":1},"cat":"py-spy","name":"%s","ph":"%s","pid":%d,"tid":5,"ts":%d}'
                % (file, name, phase, pid, time))
    one, two = (b'process %d:\\"a\\"' % pid for pid in (7, 8))
    return (b"[" + b",\n".join([
        event(b"B", one, 7, 1000, b""), event(b"B", b"main", 7, 1000), event(b"E", b"main", 7, 1100), event(b"E", one, 7, 1100, b""),
        event(b"B", two, 8, 1100, b""), *(event(b"B", b"f%d" % (i % 1000), 8, 1100) for i in range(n // 2)),
        *(event(b"BE"[i % 2:i % 2 + 1], b"x", 8, 1110 + 10 * i) for i in range(12)),
        *(event(b"BE"[i % 2:i % 2 + 1], b"y", 8, 3000 + 1000 * i) for i in range(n // 2))]) + b"]")


@case(8000, *(c + " -f perf-script" for c in EVERY[:12]), memory=400, output=200)
def samples(n):
    return b"".join(b"x%d %d/%d [000] %d.000001: 1 cycles: \n\t1000 f%d+0x1 (/bin/x)\n\t2000 main+0x1 (/bin/x)\n\n"
                    % (i % 9, i % 9, i % 99, i, i % 3000) for i in range(n))


@case(64, "info", memory=400)
def devices_of_processes(n):
    """rocprofv3: processes with a thousand devices each, which all have names."""
    def process(pid):
        return b'{"metadata":{"pid":%d},"agents":[%s]}' % (pid, b",".join(
            b'{"id":{"handle":%d},"type":2,"logical_node_type_id":%d,"product_name":"G"}' % (i, pid % (n // 4) * 1000 + i)
            for i in range(1000)))
    return b'{"rocprofiler-sdk-tool":[%s]}' % b",".join(map(process, range(n * 4)))


@case(3200, "history", "store list IN", "info", "merge IN -t json -o OUT", "store add OUT IN",
      memory=60, output=400)
def runs(n):
    """A store."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{i}.folded" for i in range(n)]
        for i, name in enumerate(names):
            pathlib.Path(folder, name).write_text("".join(f"main;f{k} {100 + k * i % 11}\n" for k in range(8)))
        subprocess.run([os.environ["PROFKIT"], "store", "add", "-q", "runs.db", *names], check=True, cwd=folder)
        return pathlib.Path(folder, "runs.db").read_bytes()


@case(100000, f"diff {pathlib.Path(__file__).resolve().parents[2]}/testdata/go-bench/slow.txt")
def gone_benchmarks(n):
    """Each is compared with all that are new, of which there are none."""
    return b"pkg: example.org/bench/lists\nBenchmarkSort-2 1000 9 ns/op\n" + b"".join(
        b"BenchmarkS%d/%d 1000 %d ns/op\n" % (i, i * 7, 1000 + i) for i in range(n))


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))


def run(command, folder, program=()):
    """Seconds, MB, bytes written, status, messages."""
    output, messages = folder / "OUT", folder / "messages"
    output.unlink(missing_ok=True)
    with open(folder / "printed", "wb") as printed, open(messages, "wb") as err:
        child = subprocess.Popen([*program, os.environ["PROFKIT"], *command], stdin=subprocess.DEVNULL, stdout=printed, stderr=err,
                                 preexec_fn=limits, cwd=folder)
        _, status, usage = os.wait4(child.pid, 0)
    size = (folder / "printed").stat().st_size + (output.stat().st_size if output.exists() else 0)
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size, os.waitstatus_to_exitcode(status),
            messages.read_bytes())


def own_memory():
    """MB of this program, which a child has too until it runs another one: its peak is at least that."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / MB


def instructions(command, folder):
    """0: it took too long."""
    *_, messages = run([*command, "--no-sandbox"], folder,
                       ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"))
    count = re.search(rb"I +refs: +([0-9,]+)", messages)
    return int(count[1].replace(b",", b"")) if count else 0


def judge(runs, sizes, memory, output, ratio):
    """ratio: of the instructions, if they were counted."""
    wrong = []
    (small, before, *_), (large, peak, size, status, messages) = runs
    if ratio > RATIO or large > SURE * max(small, QUICK):
        wrong.append(f"{small:.2f} s, four times as much: {large:.2f} s" + f", {ratio:.1f} times the instructions" * (ratio > 0))
    if peak > max(60, own_memory() + 1) + memory * sizes[1] / MB:
        wrong.append(f"{peak:.0f} MB for {sizes[1] / MB:.1f} MB")
    if peak > 60 and peak > RATIO * max(before, 10):
        wrong.append(f"{before:.0f} MB, for four times as much {peak:.0f} MB")
    if size > MB + output * sizes[1]:
        wrong.append(f"{size / MB:.0f} MB are written for {sizes[1] / MB:.1f} MB")
    if status not in (0, 1, 2) or (status == 2 and not messages.startswith(b"profkit: ")) or b"--help" in messages:
        wrong.append(f"status {status}: {messages[-300:]!r}")
    return wrong


def prepare(path, make, size):
    """In a process of its own, whose memory would be in the peak of every child."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            path.write_bytes(make(size))
            status = 0
        finally:
            os._exit(status)
    assert not os.waitpid(pid, 0)[1], path
    return path


def samples_of_many_paths(n):
    return b"".join(b"work 1/%d [000] %d.%06d: 1 cycles:\n\t10 f%d (/w)\n\t10 g%d (/w)\n\t10 h%d (/w)\n\n"
                    % (i % 4, i // 1000, i % 1000, i % 97, i % 89, i % 83) for i in range(n))


def compare_page(folder):
    """A page shows a part of many call paths and samples: it needs little more memory than the functions. (Each sample has
    28 bytes, each path 20, if all are there while the page is made: then it is two thirds more.)"""
    path = prepare(folder / "page.perf", samples_of_many_paths, 250000)
    functions, page = (run([command, "-q", "-j1", str(path), "-o", "OUT"], folder)[1] for command in ("hotspots", "report"))
    path.unlink()
    return [f"report: {page:.0f} MB, hotspots {functions:.0f} MB"] if page > 1.45 * max(functions, own_memory() + 1) else []


def check(folder, name, make, n, commands, memory, output):
    """The wrong ones."""
    def line(command, path):
        words = command.split()
        return [words[0], *([] if words[0] == "store" else [str(path)]),
                *(str(path) if w == "IN" else w.replace("|", " ") for w in words[1:])]

    n *= 4 if LARGE else 1
    inputs = [prepare(folder / f"{name}-{size}", make, size) for size in (n // 4, n)]
    sizes = [i.stat().st_size for i in inputs]
    wrong = []
    for command in commands:
        results = [run(line(command, i), folder) for i in inputs]
        if results[1][0] > SURE * max(QUICK, results[0][0]):  # the better one of two
            results = [min(r, run(line(command, i), folder)) for r, i in zip(results, inputs)]
        small = max(QUICK / SURE, results[0][0])
        ratio = 0
        if VALGRIND and SUSPECT * small < results[1][0] <= min(SURE * small, 1.5):
            counts = [instructions(line(command, i), folder) for i in inputs]
            ratio = counts[1] / max(counts[0], 1)
        found = judge(results, sizes, memory, output, ratio)
        wrong += [f"{name}: {command}: {f}" for f in found]
        if LARGE:
            print(f"{name}: {command}: {sizes[1] / MB:.1f} MB: {results[0][0]:.2f} s, {results[1][0]:.2f} s, "
                  f"{f'{ratio:.2f} times the instructions, ' if ratio else ''}{results[1][1]:.0f} MB, "
                  f"{results[1][2] / MB:.1f} MB written", flush=True)
    for i in inputs:
        i.unlink()
    return wrong


def main():
    if os.environ.get("SANITIZE"):
        print("skipped: sanitizers take time and memory of their own")
        sys.exit(77)
    chosen = [c for c in cases if not sys.argv[1:] or c[0] in sys.argv[1:]]
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        for c in chosen:
            wrong += check(pathlib.Path(temporary), *c)
        wrong += compare_page(pathlib.Path(temporary))
    print("\n".join(wrong))
    print(f"{len(chosen)} inputs, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not chosen)


if __name__ == "__main__":
    main()
