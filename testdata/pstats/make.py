#!/usr/bin/env python3
"""Makes the fixtures of this folder.

    make.py recorded [PYTHON...]    profiles by real profilers, with the interpreters named
    make.py crafted                 everything else: bytes put together by this script

Recorded profiles use timers that count instead of measuring, so that their numbers are the
same on every machine; which objects marshal shares is not, so the bytes may differ.
An interpreter that has yappi or pyinstrument records with these as well.
"""
import marshal
import os
import struct
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))

# Python 2 runs this as well.
WORK = '''
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)

def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

class Shape(object):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

def shapes(n):
    return sorted([Shape(i) for i in range(n)], key=lambda s: -s.area())

def main():
    fact(5)
    even(4)
    total = sum(s.area() for s in shapes(3))
    return len(str(total)), ",".join(["a", "b"])
'''

# What `python -m profile FILE` runs: code, which becomes the name of a function.
CODE = '''
class Point(object):
    axis = 1j, None, Ellipsis, True, 2.5, 10 ** 20

    def move(self, *by):
        def add(x):
            return lambda: (x in {1, 2}, by, u"\\u20ac")
        return add(1)()

Point().move("a"[1:])
'''

WORKER = '''
import sys
kind, out = sys.argv[1:]
space = {"__name__": "work"}
exec(compile(WORK, "/srv/app/work.py", "exec"), space)
ticks = [0]

def timer():
    ticks[0] += 1
    return ticks[0] / 1000.0

if kind == "cprofile":
    import cProfile
    # PyPy takes the numbers of another timer for something else.
    profile = cProfile.Profile() if hasattr(sys, "pypy_version_info") else cProfile.Profile(timer)
    profile.enable()
    space["main"]()
    profile.disable()
    profile.dump_stats(out)
elif kind == "profile":
    import profile
    p = profile.Profile(timer, bias=0)
    p.runcall(space["main"])
    p.dump_stats(out)
elif kind == "code":
    import profile
    p = profile.Profile(timer, bias=0)
    p.runctx(compile(CODE, "/srv/app/run.py", "exec"), {"__name__": "__main__"}, {})
    p.dump_stats(out)
elif kind == "yappi":
    import yappi
    yappi.set_clock_type("cpu")
    yappi.start(builtins=True)
    space["main"]()
    yappi.stop()
    yappi.get_func_stats().save(out, type="pstat")
elif kind == "pyinstrument":
    import time
    import pyinstrument
    from pyinstrument.renderers.pstatsrenderer import PstatsRenderer
    def busy(n):
        end = time.perf_counter() + n
        while time.perf_counter() < end:
            pass
    def job():
        busy(0.02)
        busy(0.01)
    p = pyinstrument.Profiler(interval=0.001)
    p.start()
    job()
    p.stop()
    text = p.output(PstatsRenderer())
    open(out, "wb").write(text.encode("utf-8", "surrogateescape"))
'''


def record(python, kind, out):
    code = "WORK = %r\nCODE = %r\n%s" % (WORK, CODE, WORKER)
    result = subprocess.run([python, "-c", code, kind, os.path.join(FOLDER, out)],
                            stderr=subprocess.PIPE, text=True)
    print(out, "recorded" if not result.returncode else result.stderr.splitlines()[-1])


def record_all(pythons):
    for python in pythons:
        tag = subprocess.check_output(
            [python, "-c", "import sys; print(('pypy%d' if hasattr(sys, 'pypy_version_info') "
             "else 'py%d%d') % sys.version_info[:1 if hasattr(sys, 'pypy_version_info') else 2])"],
            text=True).strip()
        record(python, "cprofile", "cprofile-%s.prof" % tag)
        record(python, "profile", "profile-%s.prof" % tag)
        record(python, "code", "code-%s.prof" % tag)
        for kind in ("yappi", "pyinstrument"):
            if not subprocess.run([python, "-c", "import " + kind],
                                  stderr=subprocess.DEVNULL).returncode:
                record(python, kind, kind + ".prof")


# Marshal by hand, for what no Python at hand writes.
def i32(n):
    return struct.pack("<i", n)


def text(s, code=b"u"):
    data = s if isinstance(s, bytes) else s.encode("utf-8", "surrogatepass")
    return code + (bytes([len(data)]) if code in b"zZ\xfa\xda" else i32(len(data))) + data


def number(n):
    if isinstance(n, float):
        return b"g" + struct.pack("<d", n)
    if -2**31 <= n < 2**31:
        return b"i" + i32(n)
    digits = []
    rest = abs(n)
    while rest:
        digits.append(rest & 0x7FFF)
        rest >>= 15
    return b"l" + i32(-len(digits) if n < 0 else len(digits)) + b"".join(
        struct.pack("<H", d) for d in digits)


def tuple_of(*items):
    return b"(" + i32(len(items)) + b"".join(items)


def key(file, line, name):
    return tuple_of(text(file), number(line), text(name))


def values(*numbers):
    return tuple_of(*[number(n) for n in numbers])


def dict_of(*pairs):
    return b"{" + b"".join(k + v for k, v in pairs) + b"0"


def entry(name, cc, nc, tt, ct, *callers):
    return name, tuple_of(number(cc), number(nc), number(tt), number(ct), dict_of(*callers))


MAIN = ("/srv/app/main.py", 1, "<module>")
STEP = ("/srv/app/work.py", 10, "step")
LEN = ("~", 0, "<built-in method builtins.len>")

PLAIN = {
    MAIN: (1, 1, 0.1, 1.5, {}),
    STEP: (2, 5, 0.9, 1.4, {MAIN: (2, 2, 0.5, 1.4), STEP: (3, 0, 0.4, 0.3)}),
    LEN: (40, 40, 0.5, 0.5, {STEP: (40, 40, 0.5, 0.5)}),
}

UNDECODABLE = ("/tmp/bad\udcff.py", 1, "f")
UNICODE = {
    UNDECODABLE: (1, 1, 0.25, 1.0, {}),
    ("/srv/пример/файл с пробелами.py", 2, "größe"): (3, 3, 0.5, 0.75,
                                                     {UNDECODABLE: (3, 3, 0.5, 0.75)}),
    ("C:\\Users\\x\\mod.py", 3, "日本語"): (1, 1, 0.25, 0.25, {}),
}

HUGE = {
    MAIN: (1, 1, 0.5, 1e6, {}),
    STEP: (2**31, 2**33 + 7, 123456.789, 999999.5, {MAIN: (2**31, 2**31, 1e5, 9e5),
                                                    STEP: (6442450951, 0, 23456.789, 99999.5)}),
    LEN: (10**20, 10**20, 0.25, 0.25, {STEP: (10**20, 10**20, 0.25, 0.25)}),
}


def plain(*more):
    return dict_of(entry(key(*MAIN), 1, 1, 0.1, 1.5),
                   entry(key(*STEP), 2, 2, 0.9, 1.4, (key(*MAIN), values(2, 2, 0.9, 1.4))),
                   *more)


def shared():
    """References to containers that are no keys: 5 a dict of callers, 6 a tuple of values."""
    def function(name, line, callers):
        k = b"\xa9\x03" + (text("a.py", b"\xfa") if line == 1 else b"r" + i32(1))
        return k + number(line) + text(name, b"\xfa") + b")\x05" + number(1) + number(1) + \
            number(0.5) + number(0.5) + callers

    f = b"r" + i32(0)
    four = b"\xa9\x04" + number(1) + number(1) + number(0.5) + number(0.5)
    return (b"{" + function("f", 1, b"{0") +
            function("g", 2, b"\xfb" + f + four + b"0") +
            function("h", 3, b"r" + i32(5)) +
            function("i", 4, b"{" + f + b"r" + i32(6) + b"0") + b"0")


CRAFTED = {
    "plain-v0.prof": marshal.dumps(PLAIN, 0),
    "plain-v1.prof": marshal.dumps(PLAIN, 1),
    "plain-v2.prof": marshal.dumps(PLAIN, 2),
    "plain-v4.prof": marshal.dumps(PLAIN, 4),
    "unicode-v2.prof": marshal.dumps(UNICODE, 2),
    "unicode-v4.prof": marshal.dumps(UNICODE, 4),
    "huge-counts.prof": marshal.dumps(HUGE),
    "shared.prof": shared(),
    # Python 2: interned strings, a name that is UTF-8, one that is Latin-1, an int of 64 bits
    "python2.prof": dict_of(
        (tuple_of(text("work.py", b"t"), number(1), text("f", b"t")),
         tuple_of(number(1), b"I" + struct.pack("<q", 2**33), number(0.5), number(0.5),
                  dict_of())),
        (tuple_of(b"R" + i32(0), number(2), text("gr\u00f6\u00dfe", b"s")),
         tuple_of(number(1), number(1), number(0.25), number(0.25),
                  dict_of((tuple_of(b"R" + i32(0), number(1), b"R" + i32(1)),
                           values(1, 1, 0.25, 0.25))))),
        (tuple_of(b"R" + i32(0), number(3), text("gr\u00f6\u00dfe".encode("latin-1"), b"s")),
         tuple_of(number(1), number(1), b"f\x050.125", b"f\x050.125", dict_of()))),
    # bytes above 127 in what should be ASCII: Python reads them as Latin-1
    "not-ascii.prof": dict_of(entry(tuple_of(text(b"a.py", b"z"), number(1),
                                             text(b"\xe9t\xe9", b"a")), 1, 1, 0.5, 0.5)),
    # profiling.sampling of Python 3.15
    "sampling.prof": dict_of(
        entry(key("a.py", 3, "main"), 0, 10, 0.0, 0.01),
        entry(key("a.py", 10, "hot"), 7, 7, 0.007, 0.007, (key("a.py", 3, "main"), number(7))),
        entry(key("a.py", 11, "hot"), 3, 3, 0.003, 0.003, (key("a.py", 3, "main"), number(3))),
        (tuple_of(text("__sampled__")), b"T")),
    "mixed-callers.prof": plain(
        entry(key("", 0, "len"), 3, 3, 0.25, 0.25, (key(*STEP), number(3)))),
    "joined-callers.prof": plain(
        entry(key(*LEN), 4, 4, 0.3, 0.3,
              (key(*STEP), values(2, 1, 0.1, 0.1, 2, 2, 0.2, 0.2)),
              (key(*MAIN), values(1, 1, 0.1)))),
    "ghost-caller.prof": plain(
        entry(key(*LEN), 4, 4, 0.3, 0.3, (key("gone.py", 7, "ghost"), values(4, 4, 0.3, 0.3)))),
    "jprofile.prof": dict_of(
        entry(key(*STEP), 4, 4, 0.3, 0.3, (key("jprofile", 0, "profiler"), number(1)))),
    "integer-times.prof": dict_of(entry(key(*MAIN), 1, 1, 1, 3),
                                  entry(key(*STEP), 2, 2, 2, 2, (key(*MAIN), values(2, 2, 2, 2)))),
    "negative-times.prof": dict_of(entry(key(*MAIN), 1, 1, -0.125, 0.5),
                                   entry(key(*STEP), 2, 2, -0.0, -1e-6)),
    "not-finite.prof": dict_of(
        entry(key(*MAIN), 1, 1, float("nan"), float("inf")),
        entry(key(*STEP), 1, 1, 1e300, 0.5, (key(*MAIN), values(1, 1, float("-inf"), 0.5)))),
    "unknown-counts.prof": dict_of(
        entry(key(*MAIN), -1, -1, 0.5, 1.0),
        entry(key(*STEP), -1, -1, 0.5, 0.5, (key(*MAIN), values(-1, -1, 0.5, 0.5)))),
    "odd-counts.prof": dict_of(
        entry(key(*MAIN), True, 2.0, 0.5, 1.0), entry(key(*STEP), 1.5, 1, 0.5, 0.5)),
    "swapped-counts.prof": dict_of(
        entry(key(*MAIN), 1, 1, 0.5, 1.0),
        entry(key(*STEP), 5, 2, 0.5, 0.5, (key(*MAIN), values(2, 2, 0.25, 0.5)),
              (key(*STEP), values(3, 0, 0.25, 0.25)))),
    "repeated-keys.prof": plain(
        entry(key(*LEN), 1, 1, 0.1, 0.1, (key(*MAIN), values(1, 1, 0.1, 0.1)),
              (key(*STEP), values(2, 2, 0.2, 0.2)), (key(*MAIN), values(3, 3, 0.3, 0.3))),
        entry(key(*MAIN), 7, 7, 0.7, 0.7, (key(*LEN), values(7, 7, 0.7, 0.7)))),
    "odd-lines.prof": dict_of(
        entry(key("a.py", -3, "f"), 1, 1, 0.5, 0.5), entry(key("a.py", 2**40, "g"), 1, 1, 0.5, 0.5),
        entry(tuple_of(text("a.py"), b"N", text("h")), 1, 1, 0.5, 0.5)),
    "trailing-bytes.prof": plain() + b"\r\n",
    "names.prof": dict_of(*[
        entry(key("/srv/app/\x1b[31mx.py", 1, name), 1, 1, 0.001 * n, 0.001 * n)
        for n, name in enumerate(["", "a\nb", "</script>", "\x00nul", '"quoted"', "a;b", "=1+1"],
                                 1)]),
    "bad/empty.prof": b"\xfb0",
    "bad/only-marker.prof": dict_of((tuple_of(text("__sampled__")), b"T")),
    "bad/truncated.prof": plain()[:-40],
    "bad/null-value.prof": b"{" + key(*MAIN) + b"0",
    "bad/contains-itself.prof": b"{\xa9\x03r" + i32(0) + number(1) + text("f") + b"N0",
    "bad/deep.prof": dict_of(entry(key(*MAIN), 1, 1, 0.5, 0.5,
                                   (key(*MAIN), b")\x01" * 5000 + b"N"))),
    "bad/long-length.prof": b"{(" + i32(3) + b"u" + i32(2**31 - 1) + b"abc",
    "bad/many-items.prof": b"{" + key(*MAIN) + b"(" + i32(2**31 - 1) + b"N",
    "bad/code.prof": b"{" + key(*MAIN) + b"c" + i32(0) * 8,
    "bad/unnormalised.prof": dict_of((key(*MAIN), b"(" + i32(5) + b"l" + i32(1) + b"\x00\x00")),
    "bad/four-values.prof": dict_of((key(*MAIN), values(1, 1, 0.5, 0.5))),
    "bad/text-for-count.prof": dict_of((key(*MAIN), tuple_of(*[text("x")] * 5))),
    "bad/list-of-callers.prof": dict_of(
        (key(*MAIN), tuple_of(number(1), number(1), number(0.5), number(0.5), b"[" + i32(0)))),
    "bad/key-of-four.prof": b"{" + key(*MAIN) + tuple_of(
        number(1), number(1), number(0.5), number(0.5),
        b"{" + tuple_of(text("a"), number(1), text("b"), text("c")) + b"T0") + b"0",
}


def craft():
    for name, data in CRAFTED.items():
        with open(os.path.join(FOLDER, name), "wb") as f:
            f.write(data)
    print(len(CRAFTED), "files")


if sys.argv[1:2] == ["crafted"]:
    craft()
elif sys.argv[1:2] == ["recorded"]:
    record_all(sys.argv[2:] or [sys.executable])
else:
    sys.exit(__doc__)
