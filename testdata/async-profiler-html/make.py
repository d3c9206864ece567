#!/usr/bin/env python3
"""Makes the fixtures of this folder: see SOURCE."""
import pathlib

HERE = pathlib.Path(__file__).parent
PAGE = """<!DOCTYPE html>
<html lang='en'>
<body>
<h1>%s</h1>
<a href='https://github.com/async-profiler/async-profiler'>async-profiler</a>
<script>
\tlet inverted = false;
%s\tfunction f(key, level, left, width, inln, c1, int) {
\t}
"""
END = "\nsearch();\n</script></body></html>\n"
NAMES = ["all", "java/lang/Thread.run", "java/lang/Thread.start", "it's\\", "sys_read", "größe"]


def pool(names):
    lines, before = [], ""
    for name in names:
        common = 0
        while common < min(len(name), len(before), 95) and name[common] == before[common] < "\x80":
            common += 1
        text = (chr(32 + common) if lines else "") + name[common:]
        lines.append("'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
        before = name
    return "const cpool = [\n" + ",\n".join(lines) + "\n];\nunpack(cpool);\n\n"


def write(name, title, units, calls, names=True):
    units = f"\tconst units = '{units}';\n" if units else ""
    text = PAGE % (title, units) + (pool(NAMES) if names else "")
    (HERE / name).write_text(text + "\n".join(calls) + "\n" + END)


# all 100; run 60 (of which start 50: its own 20, sys_read 30); größe 40 (its own).
CALLS = ["n(3,100)", "f(8,1,0,60)", "u(17,50,50,0,0)", "u(37,30)", "f(41,1,30,40)"]

if __name__ == "__main__":
    write("samples.html", "CPU profile", "samples", CALLS)
    write("time.html", "Wall clock", "ns", CALLS)
    write("no-unit.html", "CPU profile", "", CALLS)
    # A width that is not there, a frame on the same level; 10 of all are too thin to be drawn.
    write("widths.html", "Allocations", "bytes", ["n(3,100)", "u(8,90)", "u(17,40)", "n(25)",
                                                  "f(41,1,90,5)", "u(33)"])
    write("overfull.html", "CPU profile", "samples", ["n(3,100)", "u(8,45)", "u(17)", "n(25)"])
    write("difference.html", "Difference", "samples",
          ["n(3,100)", "d=5", "u(8,60)", "d=-3", "u(17)", "d=U", "f(41,1,60,40)"])
    write("version2.html", "CPU profile", "", [
        "f(0,0,100,3,'all')", "f(1,0,60,1,'java/lang/Thread.run')", "f(2,0,50,2,'it\\'s',50,0,0)",
        "f(3,0,30,5,'sys_read')", "f(1,60,40,1,'größe')"], names=False)
    write("bad/no-name.html", "x", "samples", ["n(3,100)", "u(800,1)"])
    write("bad/on-nothing.html", "x", "samples", ["n(3,100)", "f(8,2,0,1)"])
    write("bad/second-root.html", "x", "samples", ["n(3,100)", "f(3,0,0,1)"])
    write("bad/no-frames.html", "x", "samples", [])
    write("bad/prefix.html", "x", "samples", CALLS)
    bad = HERE / "bad/prefix.html"
    bad.write_text(bad.read_text().replace("' java", "'~java"))
