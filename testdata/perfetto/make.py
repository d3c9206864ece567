#!/usr/bin/env python3
"""Writes the fixtures of this folder: packets of Perfetto's traces, field by field.
"""
import pathlib
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from protobuf import fixed, number, text, varint  # noqa: E402


def packet(*fields, time=None, seq=1, flags=0):
    """A TracePacket; sequence 0 and flags 0 are left out."""
    head = number(8, time) if time is not None else b""
    body = head + b"".join(fields) + (number(10, seq) if seq else b"") + (number(13, flags) if flags else b"")
    return text(1, body)


def track(uuid, *fields, **keys):
    return packet(text(60, number(1, uuid) + b"".join(fields)), **keys)


def process(pid, name):
    return text(3, number(1, pid) + text(6, name))


def thread(pid, tid, name):
    return text(4, number(1, pid) + number(2, tid) + text(5, name))


def event(time, kind, *fields, **keys):
    return packet(text(11, (number(9, kind) if kind else b"") + b"".join(fields)), time=time, **keys)


def name(n):
    return text(23, n)


def on(uuid):
    return number(11, uuid)


def category(n):
    return text(22, n)


def arg(key, field):
    return text(4, text(10, key) + field)


def legacy(phase, *fields):
    return text(6, number(2, ord(phase)) + b"".join(fields))


BEGIN, END, INSTANT, COUNTER, STATE = 1, 2, 3, 4, 5
CLEARED, NEEDS = 1, 2


def tracks():
    """What tracks can be, and all types of events."""
    return [
        track(10, process(7, "app")), track(11, thread(7, 7, "main")), track(12, thread(7, 8, "worker")),
        track(13, number(5, 10), text(2, "requests")),  # a lane of the process
        track(14, number(5, 13), text(2, "requests")),  # another one of this name, within
        event(1000, BEGIN, on(11), name("run"), category("a"), category("b"),
              arg("int", number(4, -5)), arg("uint", number(3, 1 << 63)), arg("double", fixed(5, 0.1)), arg("bool", number(2, 1)),
              arg("text", text(6, 'a "quoted" \xfc')), arg("pointer", number(7, 255)), arg("json", text(9, '{"x": 1}')),
              arg("dict", text(11, text(10, "x") + number(4, 1)) + text(11, text(10, "y") + text(12, number(4, 2)))),
              arg("list", text(12, number(4, 1)) + text(12, text(6, "z")))),
        event(1100, BEGIN, on(11), name("read"), fixed(47, 77)),
        event(1500, END, on(11), arg("bytes", number(4, 512))),
        event(1200, BEGIN, on(12), name("job"), fixed(47, 77)), event(1300, INSTANT, on(12), name("tick"), category("a")),
        event(1900, END, on(12)),
        event(2100, INSTANT, on(13), name("answered"), fixed(48, 77)),
        event(1150, BEGIN, on(13), name("request")), event(1250, BEGIN, on(14), name("parse")), event(1350, END, on(14)),
        event(2050, END, on(13)),
        event(2000, END, on(11)),
        event(1600, BEGIN, on(15), name("before its descriptor")), event(1700, END, on(15)),
        track(15, number(5, 12), text(2, "late")),
        # counters: absolute, with a fraction, incremental in KiB, beside events, of a thread
        track(20, number(5, 10), text(2, "queue"), text(8, number(3, 2))),
        track(21, number(5, 10), text(2, "memory"), text(8, number(3, 3) + number(4, 1024) + number(5, 1))),
        track(22, number(5, 11), text(2, "cpu"), text(8, number(1, 1))),
        event(1000, COUNTER, on(20), number(30, 3)), event(1800, COUNTER, on(20), fixed(44, 0.5)),
        event(1000, COUNTER, on(21), number(30, 2)), event(1100, COUNTER, on(21), number(30, 5)),
        event(1200, COUNTER, on(21), number(30, -1)),
        event(2200, BEGIN, on(11), name("counted"), number(31, 20) + number(31, 22), number(12, 9), number(12, 800)),
        event(2300, END, on(11), text(31, varint(22)), text(12, varint(900))),
        # states
        track(30, number(5, 12), text(2, "scheduling"), text(18, b"")),
        event(1000, STATE, on(30), name("running")), event(1400, STATE, on(30), name("waiting")),
        event(1700, STATE, on(30)), event(2200, STATE, on(30), name("running")),
    ]


def interned():
    """Two sequences with texts, defaults and clocks of their own; the state is cleared in between."""
    out = []
    for seq in 1, 2:
        defaults = text(59, text(11, number(11, 10 + seq)) + number(58, 64))
        clocks = text(6, text(1, number(1, 1) + number(2, 1700000000000000000)) + text(1, number(1, 6) + number(2, 1000000)) +
                      text(1, number(1, 64) + number(2, 0) + number(3, 1) + number(4, 1000)))
        out += [packet(clocks, defaults, seq=seq, flags=CLEARED),
                track(10 + seq, text(4, number(1, 7) + number(2, 7 + seq) + text(5, f"thread {seq}")), seq=seq)]
        for state in 1, 2:
            texts = text(12, text(2, number(1, 1) + text(2, f"load {seq}{state}")) + text(2, number(1, 99999) + text(2, "far")) +
                         text(1, number(1, 1) + text(2, "io")) + text(1, number(1, 2) + text(2, "disk")) +
                         text(3, number(1, 1) + text(2, "file")) + text(29, number(1, 1) + text(2, "a.txt")) +
                         text(4, number(1, 1) + text(2, "a.c") + text(3, "load") + number(4, 3)))
            if state == 2:
                out += [packet(defaults, seq=seq, flags=CLEARED)]
            out += [packet(texts, text(11, number(9, BEGIN) + number(10, 1) + number(3, 1) + number(3, 2) +
                                       text(4, number(1, 1) + number(17, 1)) + number(34, 1)), time=5, seq=seq, flags=NEEDS),
                    event(3, BEGIN, number(10, 99999), text(3, varint(1) + varint(2)), seq=seq, flags=NEEDS),
                    event(4, END, seq=seq, flags=NEEDS), event(2, END, seq=seq, flags=NEEDS)]
    return out


def alike():
    """Arguments that differ in numbers only, and such that only seem to."""
    def moment(*fields, seq=1):
        return event(1000, INSTANT, on(11), name("x"), *fields, seq=seq, flags=NEEDS)

    def texts(names, values, seq=1, **keys):
        return packet(text(12, b"".join(text(3, number(1, i) + text(2, t)) for i, t in names.items()) +
                           b"".join(text(29, number(1, i) + text(2, t)) for i, t in values.items()) +
                           text(4, number(1, 1) + text(2, "a.c") + number(4, 12)) + text(43, number(1, 1) + text(2, "request"))), seq=seq, **keys)

    def size(n, field=4, iid=1):
        return text(4, number(1, iid) + number(field, n))

    def kernel(iid):
        return text(4, number(1, 2) + number(17, iid))

    same = [moment(size(512), kernel(1)), moment(size(640), kernel(1)), moment(size(640), kernel(2))]
    return [
        track(11, thread(7, 8, "worker")), texts({1: "bytes", 2: "kernel"}, {1: "gemm", 2: "copy"}, flags=CLEARED), *same,
        # numbers of a length that patterns keep as text, and negative ones; unsigned ones
        *(moment(size(n), kernel(1)) for n in (999999999999999999, 10**18, -5, -10**18, -1 << 63, 0)),
        *(moment(size(n, 3), kernel(1)) for n in (1, 2, (1 << 64) - 1, 1 << 63, 3)),
        # reals that are written as integers are numbers, too
        *(moment(size(n), text(4, number(1, 2) + fixed(5, real))) for n, real in ((1, 2.0), (2, 2.0), (2, 2.5), (3, 2.5))),
        # places with a line, correlations, values in values, values beside the number
        *(moment(number(34, 1), size(n)) for n in (5, 6)), *(moment(size(n), number(52, n)) for n in (7, 8, (1 << 64) - 1)),
        *(moment(size(n), number(54, 1)) for n in (9, 10)),
        *(moment(size(n), text(4, text(10, "list") + text(12, number(4, n)))) for n in (11, 12, 12, 13)),
        *(moment(text(4, number(1, 1) + number(4, n) + number(4, 1))) for n in (14, 15)), *(moment(text(4, b""), size(n)) for n in (16, 17)),
        *(moment(text(4, number(4, n) + number(1, 1))) for n in (18, 19)),
        # a name that is told later, and one that is told again, which does not count
        *(moment(size(n, iid=3)) for n in (20, 21)), texts({3: "late", 1: "again"}, {}, flags=NEEDS), *(moment(size(n, iid=3)) for n in (22, 23)),
        moment(size(24), kernel(1)),
        # other names after a new state, and in another sequence
        texts({1: "size", 2: "operator"}, {1: "relu", 2: "add"}, flags=CLEARED), *same,
        texts({1: "length", 2: "call"}, {1: "read", 2: "write"}, seq=2, flags=CLEARED),
        *(moment(size(n), kernel(k), seq=2) for n, k in ((512, 1), (640, 1), (640, 2))), *same,
        # two names in one state
        moment(size(25)), moment(size(26, iid=2)),
        # more numbers than a pattern has; all are equal in the first event
        texts({i: f"n{i}" for i in range(1, 65)}, {}, seq=3, flags=CLEARED),
        *(moment(text(4, text(10, "first") + number(4, 7)), *(size(7 + n * i, iid=i) for i in range(1, 65)), seq=3) for n in (0, 1)),
    ]


def old():
    """Events as Chrome's JSON has them."""
    thread_descriptor = text(44, number(1, 5) + number(2, 6) + text(5, "old") + number(6, 100) + number(7, 10))
    return [
        packet(thread_descriptor, seq=3, flags=CLEARED), packet(text(43, number(1, 5) + text(6, "browser")), seq=3),
        packet(text(2, text(1, number(1, 9) + number(2, 5) + text(3, "/bin/helper")) + text(2, number(1, 9) + text(2, "io") + number(3, 9)))),
        event(None, 0, name("begun"), legacy("B"), number(1, 10), number(2, 3), seq=3),
        event(None, 0, name("whole"), legacy("X", number(3, 7)), number(1, 5), seq=3),
        event(None, 0, legacy("I", number(14, 2)), name("of the process"), number(16, 117), seq=3),
        event(None, 0, name("begun"), legacy("E"), number(1, 20), number(2, 4), number(8, 1000), seq=3),
        event(113000, 0, name("elsewhere"), legacy("X", number(3, 5), number(18, 9), number(19, 9)), seq=3),
        event(110000, 0, name("page"), category("load"), legacy("b", number(6, 7)), arg("url", text(6, "x")), arg("sizes", text(12, number(4, 1))),
              arg("of", text(11, text(10, "a") + number(4, 1))), seq=3),
        event(112000, 0, name("part"), category("load"), legacy("b", number(6, 7)), seq=3),
        event(114000, 0, name("part"), category("load"), legacy("e", number(6, 7)), seq=3),
        event(119000, 0, name("page"), category("load"), legacy("e", number(6, 7)), arg("status", number(4, 200)), arg("url", text(6, "y")),
              arg("sizes", text(12, number(4, 2))), arg("of", text(11, text(10, "b") + number(4, 2))), seq=3),
        event(120000, 0, name("step"), category("load"), legacy("S", number(10, 8)), seq=3),
        event(121000, 0, name("step"), category("load"), legacy("T", number(10, 8)), seq=3),
        event(122000, 0, name("step"), category("load"), legacy("F", number(10, 8)), seq=3),
        event(111000, 0, name("arrow"), category("load"), legacy("s", number(6, 330)), seq=3),
        event(112500, 0, name("arrow"), category("load"), legacy("f", number(6, 330), number(18, 9), number(19, 9)), seq=3),
        event(113500, 0, name("arrow"), category("load"), legacy("s", number(6, 331), number(18, 9), number(19, 9)), seq=3),
        event(125000, 0, name("arrow"), category("load"), legacy("f", number(6, 331), number(12, 1)), seq=3),
        # the thread has a track, too: as in one track, an end belongs to what began last before it in the file
        event(130000, BEGIN, name("on no track"), seq=3), track(50, thread(5, 6, "old"), seq=4),
        event(130010, BEGIN, on(50), name("on a track"), seq=4), event(130010, END, seq=3), event(130020, END, on(50), seq=4),
    ]


def render_stages():
    """What ran on queues of two GPUs: with names by number, and by place, some of which come late; and what is odd."""
    def names(*numbered, others=b""):
        return text(12, b"".join(text(24, number(1, iid) + text(2, n) + text(3, "a description")) for iid, n in numbered) + others)

    def stage(time, duration, *fields, gpu=0, event=1, **keys):
        return packet(text(53, (number(1, event) if event is not None else b"") + (number(2, duration) if duration else b"") +
                           b"".join(fields) + (number(11, gpu) if gpu else b"")), time=time, **keys)

    def spec(queues, stages, **keys):
        return stage(None, 0, text(7, b"".join(text(2, text(1, q)) for q in queues) + b"".join(text(3, text(1, s)) for s in stages)),
                     event=None, **keys)
    return [
        packet(names((1, "vertex"), (2, "fragment"), (3, "binning"), (4, "render")), flags=CLEARED),
        packet(names((1, "fragment"), (2, "render"), others=text(2, number(1, 9) + text(2, "by number"))), seq=2, flags=CLEARED),
        stage(1000, 100, number(13, 1), number(14, 3), number(5, 42), number(10, 7), flags=NEEDS),
        stage(1200, 50, number(13, 2), number(14, 4), flags=NEEDS),
        stage(1300, 60, number(13, 1), number(14, 2), seq=2, flags=NEEDS),  # the queue "fragment" of above
        stage(1220, 60, number(13, 1), number(14, 2), seq=2, flags=NEEDS),  # overlaps
        stage(1400, 10, number(13, 2), number(14, 4), text(17, "pass 1"), flags=NEEDS),
        stage(1420, 10, number(13, 1), number(14, 2), number(20, 9), seq=2, flags=NEEDS),
        stage(1440, 10, number(13, 5), number(14, 4), flags=NEEDS),  # a queue that was never told
        stage(1460, 10, number(13, 2), number(14, 6), flags=NEEDS),  # a stage that was never told
        stage(1000, 5, number(3, 0), number(4, 1), gpu=1), spec(["queue a", "queue b"], ["stage a", "stage b"], gpu=1),
        stage(1010, 5, number(3, 0), number(4, 1), gpu=1), stage(1020, 5, number(3, 1), number(4, 0), gpu=1),
        stage(1030, 0, number(3, 2), number(4, 2), gpu=1),
        stage(None, 5, number(3, 0), number(4, 1)), stage(1040, 1 << 62, number(3, 0), number(4, 1)), packet(text(53, b"\x0a")),
    ]


def packed():
    """The packets of tracks(), some compressed; zstd as a frame that holds them as they are."""
    all_packets = tracks()
    some, others, rest = b"".join(all_packets[:9]), b"".join(all_packets[9:20]), all_packets[20:]
    frame = bytes.fromhex("28b52ffd20") + bytes([len(others) & 255]) if len(others) < 256 else \
        bytes.fromhex("28b52ffd60") + struct.pack("<H", len(others) - 256)
    frame += struct.pack("<I", len(others) << 3 | 1)[:3] + others
    return [text(1, text(50, zlib.compress(some))), text(1, text(133, frame))] + rest


def samples():
    """Stacks of perf with its counts, of Chrome, and of StackSample."""
    def interned(field, iid, *fields):
        return text(field, number(1, iid) + b"".join(fields))

    stacks = text(12, interned(5, 1, text(2, "main")) + interned(5, 2, text(2, "work")) + interned(17, 1, text(2, "bin")) +
                  interned(17, 2, text(2, "app")) + interned(16, 1, text(2, "a1b2")) + interned(18, 1, text(2, "app.c")) +
                  interned(6, 1, number(2, 1), number(3, 1), number(4, 0x100)) +
                  interned(6, 2, number(2, 2), number(3, 1), number(4, 0x200), number(5, 1), number(6, 7), number(7, 1)) +
                  interned(6, 3, number(3, 1), number(4, 0x300)) +  # without a symbol
                  interned(7, 1, number(2, 1), number(2, 2)) + interned(7, 2, text(2, varint(1) + varint(3))) + interned(7, 3) +
                  interned(7, 4, number(2, 1), number(2, 9)) +  # frame 9 is nowhere
                  interned(19, 1, number(2, 1), number(4, 0x1000), number(5, 0x9000), number(7, 1), number(7, 2)) +
                  interned(48, 1, number(2, 7), number(3, 8)) + interned(50, 1, text(2, "allocated"), number(3, 4), number(5, 1024)))
    perf = text(59, text(12, text(1, number(1, 1000) + number(4, 10)) + text(4, number(4, 11))))
    wall = text(59, text(100, text(1, "app.wall") + text(2, text(2, "wall-time") + number(3, 1)) + text(3, text(2, "hits") + text(4, "hits"))))

    def perf_sample(time, stack, count, *fields):
        return packet(text(66, number(1, 0) + number(2, 7) + number(3, 8) + (number(4, stack) if stack else b"") + number(6, count) +
                           b"".join(fields)), time=time, seq=1, flags=NEEDS)

    def stack_sample(time, *fields):
        return packet(text(135, b"".join(fields)), time=time, seq=3, flags=NEEDS)

    return [
        packet(perf, stacks, seq=1, flags=CLEARED), track(11, thread(7, 8, "worker")),
        perf_sample(1000, 1, 1000, number(7, 500)), perf_sample(2000, 2, 2100, text(7, varint(900))), perf_sample(3000, None, 3000, number(18, 1)),
        perf_sample(4000, 3, 4000, number(16, 5), number(17, 7)), perf_sample(5000, 4, 5000), perf_sample(6000, 8, 6000),
        packet(text(44, number(1, 7) + number(2, 9) + text(5, "renderer") + number(6, 1)), stacks, seq=2, flags=CLEARED),
        packet(text(54, text(1, varint(1) + varint(2)) + number(2, 1) + number(2, 2)), seq=2, flags=NEEDS),
        packet(text(54, number(1, 1) + number(2, 5) + number(2, 6)), seq=2, flags=NEEDS),
        packet(wall, stacks, seq=3, flags=CLEARED),
        stack_sample(1000, number(2, 1), number(6, 1), number(11, 500), number(14, 3)),
        stack_sample(2000, text(1, number(2, 7)), text(5, text(1, text(1, "run") + text(2, "run.py") + number(3, 4)) + text(1, b""))),
        stack_sample(3000, number(6, 2), number(10, 1), number(11, 2)),
        stack_sample(4000, number(6, 2), number(11, 1 << 63)), stack_sample(5000, number(11, 1)),
        packet(text(37, b"")), packet(text(1, b"")),
        # stacks of events: of their own with a weight, with a number, of an end; without frames; weights that are no use
        event(1500, BEGIN, on(11), name("job"), text(55, text(1, text(1, "submit") + text(2, "a.cc") + number(3, 5)) + text(1, text(1, "queue"))),
              fixed(57, 2.5), seq=1),
        event(1600, INSTANT, on(11), name("mark"), number(56, 1), seq=1), event(1700, END, on(11), number(56, 2), fixed(57, -0.125), seq=1),
        event(1800, INSTANT, on(11), name("mark"), text(55, b""), seq=1), event(1900, INSTANT, on(11), name("mark"), fixed(57, 1.0), seq=1),
        event(2100, INSTANT, on(11), name("mark"), number(56, 1), fixed(57, float("nan")), seq=1),
        event(2200, INSTANT, on(11), name("mark"), number(56, 77), seq=1),
        # names for an address that a frame has; for one of another build, and for none
        packet(text(61, text(1, "/bin/app") + text(2, "a1b2") +
                    text(3, number(1, 0x300) + text(2, text(1, "inlined") + text(2, "b.c") + number(3, 3)) + text(2, text(1, "outer") + text(2, "b.c"))) +
                    text(3, number(1, 0x300) + text(2, text(1, "said again"))) + text(3, number(1, 0x400) + text(2, text(2, "no name.c"))))),
        packet(text(61, text(1, "/bin/app") + text(2, "other") + text(3, number(1, 0x300) + text(2, text(1, "of another build"))))),
    ] + contexts(interned, perf_sample, stack_sample)


def contexts(interned, perf_sample, stack_sample):
    """Where samples were taken: CPU, mode, async task; why stacks are not whole; kinds of frames; events of one operation."""
    frame = text(5, text(1, text(1, "run") + text(2, "run.py") + number(3, 4)))
    told = text(12, interned(48, 2, number(2, 7), number(3, 8), number(4, 6)) + interned(49, 1, number(2, 3), number(3, 2)) +
                interned(51, 5, text(2, "pool"), text(3, "fiber")) + interned(51, 6, text(2, "task-1"), text(3, "fiber"), number(4, 5)) +
                interned(6, 4, number(2, 2), text(8, "python")) + interned(6, 5, number(2, 1), text(8, "shader"), number(7, 5)) +
                interned(7, 5, number(2, 5), number(2, 4)) + interned(43, 1, text(2, "request 1")))
    return [
        perf_sample(6100, 1, 6100, number(5, 1)), perf_sample(6200, 1, 6200, number(5, 2), number(16, 6)),
        perf_sample(6300, 1, 6300, number(16, 99)), perf_sample(6400, 1, 6400, text(19, number(1, 1))), perf_sample(6500, 1, 6500, number(5, 6)),
        packet(told, seq=3, flags=NEEDS),
        stack_sample(6000, text(1, number(2, 7) + number(3, 8)), text(3, number(2, 2) + number(3, 1)), frame),
        stack_sample(6100, number(2, 2), number(4, 1), number(6, 5)),  # the kernel of CPU 3, for the async task 6 of 5
        stack_sample(6200, text(1, number(2, 7) + number(4, 9)), text(3, number(3, 4)), frame),  # a task that was never told, a guest
        stack_sample(6300, number(2, 77), number(4, 77), frame, text(7, "no frame pointer")),  # contexts that were never told
        stack_sample(6400, frame, number(8, 1), number(16, 1)),
        event(6500, BEGIN, on(11), name("answer"), number(52, 1 << 63), seq=3), event(6600, END, on(11), seq=3),
        event(6700, BEGIN, on(11), name("answer"), seq=3), event(6800, END, on(11), number(54, 1), seq=3),
        event(6900, INSTANT, on(11), name("sent"), text(53, 'request "2"'), seq=3), event(6900, INSTANT, on(11), name("sent"), number(54, 9), seq=3),
    ]


def heap():
    """Heap profiles: sums that grow, processes that were lost, sums that shrink; a peak, with tables of the dump itself."""
    def interned(field, iid, *fields):
        return text(field, number(1, iid) + b"".join(fields))

    def sample(stack, allocated=0, allocations=0, freed=0, frees=0, peak=0, peak_count=0):
        values = {2: allocated, 3: freed, 5: allocations, 6: frees, 8: peak, 9: peak_count}
        return text(2, number(1, stack) + b"".join(number(field, value) for field, value in values.items() if value))

    def dump(pid, time, *fields, allocator=b"libc.malloc", interval=4096):
        return text(5, number(1, pid) + (text(11, allocator) if allocator else b"") + number(9, time) + number(12, interval) +
                    number(13, interval) + b"".join(fields))

    def profile(*fields, index=None, more=False, **keys):
        return packet(text(37, b"".join(fields) + (number(6, 1) if more else b"") + (number(7, index) if index is not None else b"")),
                      time=9000, **keys)

    stacks = text(12, interned(5, 1, text(2, "main")) + interned(5, 2, text(2, "load")) + interned(5, 3, text(2, "parse")) +
                  interned(17, 1, text(2, "app")) + interned(16, 1, text(2, "a1b2")) + interned(19, 1, number(2, 1), number(7, 1)) +
                  b"".join(interned(6, i, number(2, i), number(3, 1), number(4, 16 * i)) for i in (1, 2, 3)) +
                  interned(7, 1, number(2, 1), number(2, 2)) + interned(7, 2, number(2, 1), number(2, 2), number(2, 3)))
    own = b"".join(text(1, number(1, i) + text(2, t)) for i, t in enumerate(("main", "grow", "tool", "c3d4"), 1))
    frames = text(4, number(1, 1) + number(2, 4) + number(7, 3)) + \
        b"".join(text(2, number(1, i) + number(2, i) + number(3, 1) + number(4, 32 * i)) for i in (1, 2))
    snapshot = text(6, text(1, number(1, 6) + number(2, 1000)) + text(1, number(1, 4) + number(2, 0)))
    return [
        packet(snapshot), packet(text(2, text(1, number(1, 7) + text(3, "/bin/app")))),
        packet(stacks, seq=2, flags=CLEARED),
        profile(dump(7, 100, sample(1, 8192, 2, 4096, 1), sample(2, 1000, 1)), index=0, more=True, seq=2, flags=NEEDS),
        profile(dump(7, 100, sample(1, 300, 3), allocator=b"com.android.art"), index=1, seq=2, flags=NEEDS),
        profile(dump(7, 200, sample(1, 8192, 2, 8192, 2), sample(2, 3000, 3, 500, 1)), index=2, seq=2, flags=NEEDS),
        profile(dump(7, 300, sample(2, 2999, 3), sample(1, 1 << 63), sample(9, 64, 1), sample(2, 9000, 9, 9001, 9), number(7, 1)), index=5, seq=2, flags=NEEDS),
        profile(dump(8, 300, number(4, 1)), index=6, seq=2, flags=NEEDS),
    ], [
        profile(dump(9, 50, sample(1, peak=2048, peak_count=4), allocator=b""), more=True, seq=3, flags=CLEARED),  # its tables come later
        profile(own, frames, text(3, number(1, 1) + number(2, 1) + number(2, 2)), seq=3),
        profile(dump(9, 60, sample(1, peak=1024, peak_count=1), allocator=b""), more=True, seq=3),  # and these never
    ]


def sched():
    """Which threads ran on which CPU: events, and columns of them; a clock of its own, states of Linux 5, what was lost."""
    def happens(time, field, *fields):
        return text(2, number(1, time) + number(2, 1) + text(field, b"".join(fields)))

    def switch(time, prev, state, comm, tid):
        return happens(time, 4, number(2, prev), number(4, state), text(5, comm), number(6, tid))

    def waking(time, comm, tid):
        return happens(time, 20, text(1, comm), number(2, tid))

    def compact(table, switches, wakings):
        def columns(*fields):
            return b"".join(text(field, b"".join(map(varint, values))) for field, values in fields)

        return text(4, b"".join(text(5, t) for t in table) + columns(*zip((1, 2, 3, 6, 4), switches)) +
                    columns(*zip((7, 8, 11, 9, 10, 12), wakings)))

    def bundle(cpu, *fields):
        return packet(text(1, number(1, cpu) + b"".join(fields)), seq=0)

    return [
        packet(text(45, text(1, text(3, "5.10.1-test")))),
        packet(text(2, text(1, number(1, 7) + text(3, "/bin/app")) + text(2, number(1, 9) + text(2, "reader") + number(3, 7)))),
        track(11, thread(7, 8, "worker")), event(1000, BEGIN, on(11), name("work")), event(5000, END, on(11)),
        # in no order; the main thread, without a name, runs from 4000; the one of another machine has the number of a thread here
        bundle(1, switch(3000, 8, 1, "swapper/1", 0), switch(1000, 0, 0, "worker", 8), switch(4000, 0, 0, "", 7), waking(3500, "worker", 8)),
        packet(text(1, number(1, 1) + switch(1500, 0, 0, "far", 8)) + number(98, 3), seq=0),
        # 9 sleeps, is in a state that is not known, has to wait for 30, and stays runnable when it is woken; 30 is made, and so is another 30
        bundle(0, compact(["reader", "swapper/0", "rcu"], ([500, 700, 800, 100, 50, 60], [0, 1, 0, 4096, 2, 256], [9, 0, 9, 30, 9, 0],
                                                           [0, 1, 0, 2, 9, 1], [120] * 6), ([2300, 50], [9, 9], [0, 0], [0, 0], [120, 120], [1, 1])),
               happens(2050, 235, number(1, 30), text(2, "new")), happens(2700, 235, number(1, 30), text(2, "newer"))),
        bundle(0, switch(2500, 40, 2, "worker", 8), text(2, number(1, 2600) + text(5, b""))),
        bundle(2, number(3, 1), number(5, 3), number(6, 100), number(7, 1100), switch(200, 0, 0, "other clock", 5),
               switch(1 << 63, 5, 0, "late", 5)),
        bundle(3, compact([], ([100], [], []), ([200], [], []))),  # columns that are too short
        bundle(3, compact([], ([], [], []), ([200], [], []))),
    ]


def sched_clocks():
    """Switches on a clock that is not that of the trace: a snapshot tells it after them, or none does."""
    def switch(time, prev, state, tid):
        return text(2, number(1, time) + number(2, 1) + text(4, number(2, prev) + number(4, state) + text(5, f"thread {tid}") + number(6, tid)))

    def bundle(*fields):
        return packet(text(1, number(1, 0) + b"".join(fields)), seq=0)

    def trace(*fields):
        return [track(11, thread(7, 8, "worker")), event(1000, BEGIN, on(11), name("work")), event(1500, END, on(11)),
                bundle(switch(51100, 0, 0, 8), switch(51400, 8, 1, 0)), packet(text(6, number(2, 3) + b"".join(fields)))]

    def reading(clock, time):
        return text(1, number(1, clock) + number(2, time))

    late = (1 << 61) - 1
    return {"sched-clock": trace(reading(3, 1000), reading(6, 51000)), "sched-no-clock": trace(reading(3, 1000)) +
            [bundle(number(6, late), number(7, 1), switch(5, 8, 1, 9)), bundle(number(6, 1), number(7, late), switch(late, 8, 1, 9))]}


def sched_alone():
    """Nothing but what ftrace recorded: events in one file, columns in the other."""
    def bundle(*fields):
        return packet(text(1, number(1, 2) + b"".join(fields)), seq=0)

    def switch(time, prev, tid):
        return text(2, number(1, time) + number(2, prev) + text(4, number(2, prev) + number(4, 1) + text(5, f"thread {tid}") + number(6, tid)))

    columns = [text(field, b"".join(map(varint, values))) for field, values in ((1, (50, 50, 70)), (2, (0, 0, 1)), (3, (0, 8, 0)), (6, (1, 0, 1)), (4, (120,) * 3))]
    return {"sched-events": [bundle(switch(100, 0, 8), switch(170, 8, 0))], "sched-columns": [bundle(text(4, text(5, "thread 8") + text(5, "idle") + b"".join(columns)))]}


def atrace():
    """Marks of programs on two CPUs: spans that nest with those of a track, or are apart from them; what makes no sense."""
    def mark(time, tid, what):
        return text(2, number(1, time) + number(2, tid) + text(3, number(1, 1) + text(2, what + "\n")))

    def bundle(cpu, *fields):
        return packet(text(1, number(1, cpu) + b"".join(fields)), seq=0)

    return [
        packet(text(2, text(1, number(1, 7) + text(3, "app")) + text(2, number(1, 9) + text(2, "render") + number(3, 7)))),
        track(11, thread(7, 8, "worker")), event(1000, BEGIN, on(11), name("own")), event(5000, END, on(11)),
        track(12, thread(7, 10, "apart"), number(9, 1)), event(1000, BEGIN, on(12), name("own")), event(5000, END, on(12)),
        bundle(1, mark(1200, 9, "E|7"), mark(2000, 8, "B|7|inner|part"), mark(2600, 8, "E|7"), mark(4000, 10, "B|7|crossing"),
               mark(6000, 10, "E"), mark(7000, 9, "B|0|of a known process"), mark(7500, 9, "E|7"), mark(7600, 99, "B|0|of none"),
               mark(7700, 99, "E")),
        bundle(0, mark(1500, 8, "B|7|outer"), mark(3000, 8, "E"), mark(3100, 8, "C|7|frames|3"), mark(3200, 8, "C|7|frames|-4"),
               mark(3300, 8, "S|7|load|1"), mark(3310, 8, "S|7|draw|1"), mark(3320, 8, "S|7|load|1"), mark(3400, 9, "F|7|load|1"),
               mark(3500, 9, "F|7|draw|1"), mark(3600, 8, "G|7|lane|step|1"), mark(3700, 8, "H|7|lane|1"), mark(3800, 8, "I|7|moment"),
               mark(3900, 8, "N|7|lane|moment of the process"), mark(8000, 55, "E|7"), mark(8100, 8, "B|7|"), mark(8200, 8, "E|7")),
        bundle(0, mark(100, 8, "trace_event_clock_sync: parent_ts=1.5"), mark(110, 8, "what a person wrote"), mark(120, 8, "C|7|frames|many"),
               mark(1 << 63, 8, "B|7|late")),
    ]


def order():
    """Descriptions of tracks, and how they are to be sorted: by ranks, names, times, or not at all; threads last."""
    def lane(uuid, parent, title, *fields):
        return track(uuid, number(5, parent), text(2, title), *fields)

    def moment(time, uuid):
        return event(time, INSTANT, on(uuid), name(f"on {uuid}"))

    lexicographic, chronological, explicit = (number(11, n) for n in (1, 2, 3))
    return [
        track(10, process(7, "ranked"), explicit, text(14, "the process"), number(12, 2)), packet(text(60, number(1, 0) + number(19, 1) + number(20, 1))), lane(11, 10, "rank 2", number(12, 2)),
        lane(12, 10, "rank -5", number(12, -5), lexicographic, text(14, "what comes first")), lane(13, 10, "no rank"),
        lane(14, 12, "second name"), lane(15, 12, "first name"), lane(16, 11, "late", number(12, -9)), lane(17, 11, "early", number(12, 9)),
        track(11, chronological), track(18, thread(7, 8, "worker"), text(14, "runs jobs"), number(12, 3)), track(19, thread(7, 7, "main"), number(12, 1)),
        *(moment(1000 - uuid, uuid) for uuid in range(11, 20)),
        track(20, process(9, "not ranked"), number(12, 1)), lane(21, 20, "z"), lane(22, 20, "a"), lane(23, 23, "its own parent", explicit),
        *(moment(2000, uuid) for uuid in range(21, 24)),
        track(24, number(5, 20), text(2, "queue"), text(14, "how many wait"), text(8, number(3, 2))), event(2000, COUNTER, on(24), number(30, 3)),
    ]


def odd():
    """What is mended, counted or left out."""
    return [
        text(99, "a field of a later version"),
        text(1, b""),
        track(11, thread(7, 7, "main"), seq=1), track(12, thread(7, 7, "main again"), seq=1),
        packet(text(60, text(2, "no number"))),
        event(1000, BEGIN, on(11), name("never closed")), event(1100, BEGIN, on(11), name("closed")), event(1200, END, on(11)),
        event(1250, END, on(12)), event(1300, BEGIN, on(12), name("of the second thread")), event(1400, END, on(12)),
        event(1500, INSTANT, on(13), name("track without a descriptor")),
        event(1600, INSTANT, name("no track")),
        event(1650, INSTANT, name("keys cut off"), arg("dict", text(8, number(1, 1) + text(3, number(5, 7)) + b"\x22\xff\xff\xff\x7f"))),
        event(1000, INSTANT, on(11), number(10, 5), seq=2, flags=NEEDS),  # the state was never cleared
        packet(text(12, text(2, number(1, 5) + text(2, "five"))), seq=2, flags=CLEARED),
        event(1100, INSTANT, on(11), number(10, 5), seq=2, flags=NEEDS),
        event(1200, INSTANT, on(11), number(10, 6), seq=2, flags=NEEDS),
        packet(number(42, 1), seq=2),
        event(1300, INSTANT, on(11), number(10, 5), seq=2, flags=NEEDS),
        event(1400, INSTANT, on(11), number(10, 5), seq=2),
        event(1500, STATE, on(11), name("no state")), event(1500, 9, on(11), name("later type")),
        event(None, INSTANT, on(11), name("no time")), event((1 << 63) + 5, INSTANT, on(11), name("large time")),
        event(1700, INSTANT, on(11), name("clock without a snapshot"), seq=4),
        packet(number(58, 64), text(11, number(9, INSTANT) + on(11) + name("unknown clock")), time=3, seq=4),
        packet(number(58, 65), text(11, number(9, INSTANT) + on(11) + name("clock known later")), time=50, seq=4),
        packet(text(6, text(1, number(1, 6) + number(2, 1000)) + text(1, number(1, 65) + number(2, 40))), seq=4),
        event(1000, COUNTER, on(20)), event(1000, COUNTER, on(20), fixed(44, float("inf"))),
        event(1050, INSTANT, on(11), name("value without a track"), number(12, 5)),
        event(1000, 0, on(11), name("no phase known"), legacy("?")), event(1000, 0, on(11), name("no type")),
        event(1000, 0, on(11), name("async"), legacy("e", number(6, 9))),
        packet(text(50, b"no zlib")), packet(number(42, 1 | 2 | 64), seq=4), packet(number(42, 1 | 512), seq=4),
        text(1, b"\x0b\x0c"),
        track(31, process(8, "first")), track(32, process(8, "second")),
        event(1000, INSTANT, on(31), name("of the first")), event(1000, INSTANT, on(32), name("of the second")),
        event(2000, INSTANT, on(11), name("cut off"))[:-5],
    ]


def limits():
    """Large numbers, long texts, and what is not read."""
    def moment(time, *fields, **keys):
        return event(time, INSTANT, on(11), *fields, **keys)

    def clocks(*readings):
        return packet(text(6, b"".join(text(1, number(1, clock) + number(2, time)) for clock, time in readings)), seq=3)

    def incremental(time, title):
        return packet(number(58, 64), text(11, number(9, INSTANT) + on(11) + name(title)), time=time, seq=4)

    huge, late = 1 << 63, (1 << 61) - 1
    long_text = packet(text(12, text(1, number(1, 1) + text(2, "x" * 70000)) + text(2, number(1, huge) + text(2, "named by 2^63"))),
                       seq=2, flags=CLEARED)
    return [
        packet(number(98, huge >> 32), name("no event"), seq=0),
        text(1, text(50, zlib.compress(long_text))),
        track(11, thread(7, 7, "main")), track(huge, thread(7, 8, "worker")),
        event(100, BEGIN, on(huge), name("on the track of 2^63")), moment(150, name("between")), event(200, END, on(huge)),
        moment(300, number(3, 1), number(3, 1), name("categories too long"), seq=2),
        moment(400, number(10, huge), seq=2),
        clocks((6, late), (200, 0)), clocks((200, late), (201, 0)),
        packet(number(58, 201), text(11, number(9, INSTANT) + on(11) + name("clock too late")), time=1, seq=3),
        incremental(10, "before its clock is known"),
        packet(text(6, text(1, number(1, 6) + number(2, 1000)) + text(1, number(1, 64) + number(2, 0) + number(3, 1))), seq=4),
        incremental(10, "at 1010"), incremental(10, "at 1020"),
        moment(500, name("place"), text(33, text(2, "a.c") + text(3, "f") + number(4, 12))),
        moment(600, name("log"), text(21, number(2, 1))), moment(700, name("stack"), text(55, text(1, text(1, "f")))),
        packet(text(9, number(1, 7)), time=800), packet(text(33, number(1, 7))),
    ]


def untold():
    """Numbers that no packet defines: of texts, frames, contexts, tracks. Empty texts, and a mapping that says nothing, are told."""
    def sample(iid, *fields, time=1000):
        return packet(text(135, text(1, number(2, 7) + number(3, 8)) + number(6, iid) + b"".join(fields)), time=time, flags=NEEDS)

    def moment(*fields):
        return event(1000, INSTANT, on(11), *fields, flags=NEEDS)

    def frame(iid, *fields):
        return text(6, number(1, iid) + b"".join(fields)) + text(7, number(1, iid) + number(2, iid))

    return [
        track(11, thread(7, 8, "worker")),
        packet(text(12, text(2, number(1, 1) + text(2, "")) + text(5, number(1, 1) + text(2, "f")) + text(5, number(1, 2) + text(2, "")) +
                    text(17, number(1, 1) + text(2, "")) + text(16, number(1, 1) + text(2, "")) + text(18, number(1, 1) + text(2, "")) +
                    text(19, number(1, 1)) + text(19, number(1, 2) + number(7, 1) + number(2, 1)) +
                    text(19, number(1, 3) + number(7, 91) + number(2, 92)) +
                    frame(1, number(2, 1), number(3, 1)) + frame(2, number(2, 2), number(3, 2), number(5, 1)) +
                    frame(3, number(2, 93), number(3, 3)) + frame(4, number(2, 1), number(3, 94), number(5, 95))), flags=CLEARED),
        *(sample(iid) for iid in range(1, 5)),
        sample(1, number(2, 81), number(4, 82), number(10, 83)), sample(1, text(13, varint(84)), text(14, varint(5))),
        moment(number(10, 1)), moment(number(10, 71), number(3, 72)),
        moment(name("x"), text(4, number(1, 73) + number(4, 1)), text(4, text(10, "key") + number(17, 74)), number(34, 75), number(54, 76)),
        event(1000, COUNTER, on(61), number(30, 1)), event(1100, COUNTER, on(61), number(30, 2)),
        track(12, number(5, 62), text(2, "lane")), event(1000, INSTANT, on(12), name("y"), arg("n", number(4, 5))),
    ]


def write(path, packets):
    with open(path, "wb") as out:
        out.write(b"".join(packets))


if __name__ == "__main__":
    write("tracks.pftrace", tracks())
    write("interned.pftrace", interned())
    write("alike.pftrace", alike())
    write("old.pftrace", old())
    write("render-stages.pftrace", render_stages())
    write("packed.pftrace", packed())
    write("samples.pftrace", samples())
    write("untold.pftrace", untold())
    for stem, packets in zip(("heap", "heap-peak"), heap()):
        write(stem + ".pftrace", packets)
    write("sched.pftrace", sched())
    for stem, packets in {**sched_clocks(), **sched_alone()}.items():
        write(stem + ".pftrace", packets)
    write("atrace.pftrace", atrace())
    write("order.pftrace", order())
    write("odd.pftrace", odd())
    write("limits.pftrace", limits())
    write("bad/no-packet.pftrace", [text(99, "a field of a later version")])
