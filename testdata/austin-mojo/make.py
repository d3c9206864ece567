#!/usr/bin/env python3
"""Makes the fixtures of this folder: binary files of austin, event by event."""
import pathlib

HERE = pathlib.Path(__file__).parent


def number(n):
    size, first = abs(n), 0x40 if n < 0 else 0
    out = [first | size & 0x3F]
    size >>= 6
    while size:
        out[-1] |= 0x80
        out.append(size & 0x7F)
        size >>= 7
    return bytes(out)


def text(t):
    return t.encode() + b"\0"


def meta(key, value):
    return b"\1" + text(key) + text(value)


def stack(pid, thread, interpreter=0):
    return b"\2" + number(pid) + number(interpreter) + text(thread)


def string(key, value):
    return b"\13" + number(key) + text(value)


def frame(key, file, function, line, *rest):
    return b"\3" + b"".join(map(number, (key, file, function, line, *(rest or (line, 1, 9)))))


def ref(key):
    return b"\5" + number(key)


def time(us):
    return b"\11" + number(us)


def memory(size):
    return b"\12" + number(size)


def write(name, version, *events):
    (HERE / name).write_bytes(b"MOJ" + number(version) + b"".join(events))


INVALID, GC, IDLE, REPEAT = b"\4", b"\7", b"\10", b"\15"
HEAD = meta("austin", "3.7.0") + meta("interval", "1000") + meta("mode", "wall")

# Version 3: threads, processes with the same keys, frames that are defined again.
write("wall.mojo", 3, HEAD,
      stack(70, "2f"), string(64, "/srv/a b.py"), string(65, "f"), frame(1 << 40, 64, 65, 12),
      ref(1 << 40), time(100),
      stack(70, "30", -1), ref(1 << 40), frame(2, 64, 1, 13), ref(2), GC, time(1000),
      stack(71, "47"), string(64, "<frozen x>"), string(65, "g"), frame(2, 64, 65, 1), ref(2),
      time(7),
      stack(70, "2f"), frame(2, 64, 65, 14), ref(2), INVALID, time(1),
      stack(70, "2f"), time(5), meta("duration", "1113"))
write("full.mojo", 3, meta("austin", "3.7.0"), meta("mode", "full"),
      stack(70, "46"), string(64, "a.py"), string(65, "f"), frame(1, 64, 65, 1), ref(1),
      time(762), memory(860160),
      stack(70, "46"), ref(1), time(500), IDLE,
      stack(70, "46"), ref(1), time(300), memory(-4096))
write("memory.mojo", 3, meta("mode", "memory"),
      stack(70, "46"), string(64, "a.py"), string(65, "f"), frame(1, 64, 65, 1), ref(1),
      memory(4096), stack(70, "46"), ref(1), memory(-1024))
# Version 1 of austinp: no interpreters, no columns, definitions before the first sample.
write("native.mojo", 1, meta("mode", "wall"),
      string(64, "native@4f96ac"), string(65, "PyEval"), frame(1, 64, 65, 33, 0)[:-1],
      frame(2, 64, 1, 0, 0)[:-1],
      b"\2" + number(70) + text("46"), ref(1), ref(2), b"\6" + text("do_syscall"), time(9),
      b"\14" + number(64))
# Version 4: names of threads, stacks that are repeated, tasks.
write("repeat.mojo", 4, HEAD,
      stack(70, "MainThread"), string(64, "a.py"), string(65, "f"), string(66, "x.so"),
      frame(1, 64, 65, 1), frame(2, 64, 65, 2), frame(3, 66, 65, 3),
      ref(1), ref(2), ref(3), time(10),
      stack(70, "MainThread"), REPEAT, ref(3), ref(3), time(20),
      stack(70, "worker"), REPEAT, time(1),
      stack(70, "MainThread"), REPEAT, time(30),
      stack(70, "MainThread"), b"\17" + number(5) + number(6), b"\16" + number(5) + number(65),
      ref(1), time(1000), ref(2), time(40),
      stack(70, "MainThread"), REPEAT, time(50))
write("cut.mojo", 3, HEAD, stack(70, "46"), string(64, "a.py"), string(65, "f"),
      frame(1, 64, 65, 1), ref(1), time(100), stack(70, "46"), ref(1), time(200)[:1])
write("empty.mojo", 3)
write("bad/unknown-event.mojo", 3, HEAD, b"\20")
write("bad/long-number.mojo", 3, stack(70, "46"), b"\11" + b"\xff" * 12)
