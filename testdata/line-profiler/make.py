#!/usr/bin/env python3
"""Makes the fixtures of this folder but kernprof.lprof (see SOURCE)."""
import os
import pickle
import sys
import types

os.chdir(os.path.dirname(os.path.abspath(__file__)))


def stats(module, timings, unit, **more):
    for part in range(1, module.count(".") + 2):
        sys.modules[".".join(module.split(".")[:part])] = types.ModuleType(module)
    cls = type("LineStats", (), {"__module__": module})
    sys.modules[module].LineStats = cls
    object = cls()
    object.timings = timings
    object.unit = unit
    object.__dict__.update(more)
    return object


def write(name, object, protocol):
    with open(name, "wb") as f:
        pickle.dump(object, f, protocol)


TIMINGS = {
    ("app.py", 9, "main"): [(10, 1, 3), (11, 4, 2500000), (12, 4, 7)],
    ("lib/t\u00e4.py", 3, "Tree.find"): [(4, 2 ** 40, 2 ** 41), (6, 1, 0)],
    ("app.py", 2, "find"): [],
    ("<ipython-input-1-abc>", 1, "<lambda>"): [(1, 3, 30)],
}
for protocol in (0, 1, 2, 3, 4, 5):
    write("protocol%d.lprof" % protocol, stats("line_profiler._line_profiler", TIMINGS, 1e-9), protocol)
write("version2.lprof", stats("_line_profiler", TIMINGS, 1e-6), 2)
write("version5.lprof", stats("line_profiler.line_profiler", TIMINGS, 1e-9), 5)
write("windows.lprof", stats("line_profiler.line_profiler", TIMINGS, 1e-7), 5)
write("odd-unit.lprof", stats("line_profiler.line_profiler", TIMINGS, 1 / 3579545), 5)
write("fine-unit.lprof", stats("line_profiler.line_profiler", TIMINGS, 2.5e-10), 5)
write("one-line.lprof", stats("line_profiler.line_profiler", {("a.py", 1, "f"): [(2, 1, 5)]}, 1e-9), 5)
write("empty.lprof", stats("line_profiler.line_profiler", {}, 1e-9), 5)
# A line twice, as 4.0 may have it; numbers beyond 64 bits.
write("odd.lprof", stats("line_profiler._line_profiler", {
    ("a.py", 1, "f"): [(2, 3, 5), (2, 4, 6), (3, 2 ** 70, 2 ** 65)], ("a.py", 9, "g"): [(10, 1, 2 ** 63 - 1)]}, 1e-6), 4)

for name, timings, unit in [
        ("no-unit", {}, None), ("unit-zero", {}, 0.0), ("unit-nan", {}, float("nan")), ("timings-list", [], 1e-9),
        ("key-text", {"f": []}, 1e-9), ("key-of-two", {("a.py", 1): []}, 1e-9),
        ("lines-tuple", {("a.py", 1, "f"): (1, 2, 3)}, 1e-9), ("line-of-two", {("a.py", 1, "f"): [(1, 2)]}, 1e-9),
        ("line-zero", {("a.py", 1, "f"): [(0, 2, 3)]}, 1e-9), ("line-huge", {("a.py", 1, "f"): [(2 ** 40, 2, 3)]}, 1e-9),
        ("negative-hits", {("a.py", 1, "f"): [(1, -2, 3)]}, 1e-9),
        ("negative-time", {("a.py", 1, "f"): [(1, 2, -3)]}, 1e-9),
        ("time-text", {("a.py", 1, "f"): [(1, 2, "3")]}, 1e-9)]:
    write("bad/%s.lprof" % name, stats("line_profiler.line_profiler", timings, unit), 4)
write("bad/no-timings.lprof", [stats("line_profiler.line_profiler", {}, 1e-9)], 4)
with open("bad/system.lprof", "wb") as f:
    f.write(b"c_line_profiler\nLineStats\n(cos\nsystem\n(S'true'\ntR.")
