#!/usr/bin/env python3
"""Names are untrusted text: a table of hostile ones goes through every writer and every command that
shows a profile, and what comes out is read by its real consumers.

Formats and commands are those of the program's own lists, so that new ones are included. Text that
may reach a terminal has no control byte but the line feed. Pictures and pages have as many scripts,
links and handlers as those of harmless names.
"""
import csv
import html.parser
import io
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NAMES = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--", "-->", "<![CDATA[", "]]>",
    "\" onload=\"alert(1)", "' onclick='alert(1)", "&amp;&lt;&#0;&bogus;", "<b>bold</b>",
    "\\N \\G \\l \\\" \\", "<<table><tr><td>x</td></tr></table>>", "a\"];evil[label=\"b", "}{|<port>",
    "=1+1", "+1", "-1", "@SUM(A1)", "a,b\n\"c\"\r\nd", "\tTab", "a;b 7", "a;b;c 99\nx 1",
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\r over", "\b\b\b", "\x7f", "\u009b31m", "\u0000nul\u0000",
    "\u202egnp.exe", "\u2066\u2069\u200b\ufeff", "\u2028\u2029", "../../../../etc/passwd", "/dev/tty", "C:\\nul",
    "%s%n%d", "$(reboot)`reboot`", "`code` | *x* | [a](javascript:alert(1))", "\ud800", "\U0001F600",
    "e\u0301", "", " ", "long" * 250000,
]
HARMLESS = [f"name{i}" for i in range(len(NAMES))]
HANDLERS = ("on", "href", "{http://www.w3.org/1999/xlink}href")
ACTIVE = {"script", "foreignObject", "iframe", "object", "embed", "a", "image", "img", "link", "meta"}
# No views of one file, or pictures, which are among the writers.
NOT_SHOWN = {"help", "formats", "store", "query", "check", "merge", "convert", "callgraph", "flamegraph", "timeline", "report",
             "slice"}
SECONDS = int(60 * float(os.environ.get("CK_TIMEOUT_MULTIPLIER", 1)))  # of processor time for each
failures = []
cases = 0


def listed(path):
    text = (SOURCE / path).read_text()
    return [line.split("(")[1].rstrip(")\n").replace("_", "-") for line in text.splitlines() if "(" in line]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def profkit(*args):
    """Status, standard output and messages, which may not have control bytes either."""
    global cases
    cases += 1
    run = subprocess.run([os.environ["PROFKIT"], *map(str, args)], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
    if run.returncode not in (0, 1, 2, 3):
        fail(args, f"status {run.returncode}: {run.stderr[-500:]}")
    plain(args, run.stderr)
    return run.returncode, run.stdout, run.stderr


def fail(what, why):
    failures.append(f"{' '.join(map(str, what))}: {why}")


def plain(what, data):
    bad = [b for b in data if (b < 32 and b != 10) or b == 127]
    if bad:
        fail(what, f"control byte {bad[0]}: {data[max(0, data.index(bad[0]) - 20):][:60]}")
    text = data.decode(errors="replace")
    for c in text:
        if "\x80" <= c <= "\x9f" or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            fail(what, f"control character U+{ord(c):04X}")
            return


def speedscope(names):
    frames = [{"name": n, "file": names[i * 7 % len(names)], "line": i + 1} for i, n in enumerate(names)]
    count = len(frames)
    profile = {"type": "sampled", "name": names[0], "unit": "nanoseconds", "startValue": 0, "endValue": 10 * count,
               "samples": [[i // 2, i] for i in range(count)], "weights": [10] * count}
    return {"$schema": "https://www.speedscope.app/file-format-schema.json", "name": names[1],
            "exporter": names[2], "shared": {"frames": frames}, "profiles": [profile]}


def trace(names):
    events = []
    for i, name in enumerate(names):
        other = names[i * 7 % len(names)]
        events += [
            {"ph": "M", "name": "process_name", "pid": i, "args": {"name": name}},
            {"ph": "M", "name": "thread_name", "pid": i, "tid": 1, "args": {"name": other}},
            {"ph": "X", "name": name, "cat": other, "pid": i, "tid": 1, "ts": 10 * i, "dur": 9, "args": {name: other}},
            {"ph": "X", "name": other, "cat": name, "pid": i, "tid": 1, "ts": 10 * i + 1, "dur": 4},
            {"ph": "i", "name": name, "pid": i, "tid": 1, "ts": 10 * i, "s": "t"},
            {"ph": "C", "name": name, "pid": i, "ts": 10 * i, "args": {other: i}},
            {"ph": "s", "name": name, "cat": other, "id": name, "pid": i, "tid": 1, "ts": 10 * i},
            {"ph": "f", "bp": "e", "name": name, "cat": other, "id": name, "pid": i, "tid": 1, "ts": 10 * i + 1},
        ]
    return {"traceEvents": events}


def active_xml(data):
    """What acts in a picture: elements and attributes, without their text."""
    found = []
    for element in xml.etree.ElementTree.fromstring(data).iter():
        tag = element.tag.split("}")[-1]
        found += [tag] if tag in ACTIVE else []
        found += [a for a in element.attrib if a.startswith(HANDLERS)]
    return sorted(found)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [tag] if tag in ACTIVE else []
        self.found += [a for a, _ in attrs if a.startswith(HANDLERS)]


def active_html(data):
    page = Page()
    page.feed(data.decode())
    return sorted(page.found)


def same_action(what, data, harmless, active):
    """As much acts as with harmless names; no more."""
    more = set(active(data)) - set(active(harmless))
    if more:
        fail(what, f"{more} out of names")


def consume(what, path, harmless):
    """Reads an output as its consumers do, by its suffix."""
    data = path.read_bytes()
    suffix = path.suffix
    if data.startswith(b"SQLite"):
        db = sqlite3.connect(path)
        if db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            fail(what, "damaged")
        db.close()
    elif suffix == ".json":
        json.loads(data.decode())
    elif suffix == ".csv":
        table(what, data)
    elif suffix == ".svg":
        same_action(what, data, harmless.read_bytes(), active_xml)
        if shutil.which("xmllint"):
            tool(what, "xmllint", "--noout", "--nonet", "--huge", path)
    elif suffix == ".dot" and shutil.which("dot"):
        picture = tool(what, "dot", "-Tsvg", path)
        if picture:
            same_action(what, picture, tool(what, "dot", "-Tsvg", harmless), active_xml)


def tool(what, *command):
    run = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        fail(what, f"{command[0]}: {run.stderr[-300:]}")
        return b""
    return run.stdout


def table(what, data):
    csv.field_size_limit(1 << 30)
    widths = {len(row) for row in csv.reader(io.StringIO(data.decode(), newline=""), strict=True)}
    if len(widths) > 1:
        fail(what, f"rows of {widths} columns")


SUFFIX = {"flamegraph": ".svg", "timeline": ".svg", "dot": ".dot", "csv": ".csv", "markdown": ".md", "pstats": ".prof", "store": ".pk",
          "folded": ".folded", "profkit-baseline": ".txt", "py-spy": ".txt", "torch-stacks": ".txt",
          "pprof": ".pb", "callgrind": ".out", "perfetto": ".pftrace"}


def write_all(work, source, harmless):
    for writer in listed("src/writers/writers.def"):
        suffix = SUFFIX.get(writer, ".json")
        outputs = []
        for path in (source, harmless):
            out = work / f"{path.stem}-{writer}{suffix}"
            status, _, err = profkit("convert", path, "--to", writer, "-o", out)
            if status:
                if b"needs" not in err and b"no trace of torch" not in err:
                    fail((writer, path.name), err[-300:])
                break
            outputs.append(out)
        if len(outputs) == 2:
            what = (writer, source.name)
            try:
                consume(what, *outputs)
            except Exception as e:  # whatever the consumer does not like
                fail(what, repr(e)[:300])


def show_all(work, source, harmless):
    for command in listed("tools/commands.def"):
        if command in NOT_SHOWN:
            continue
        files = (source, source) if command == "diff" else (source,)
        plain_files = (harmless,) * len(files)
        status, out, err = profkit(command, *files)
        if status == 0:
            plain((command, source.name), out)
        for notation in ("csv", "json", "html", "markdown", "text"):
            status, out, err = profkit(command, "--format", notation, *files)
            what = (command, "--format", notation, source.name)
            if status or not out:
                continue
            try:
                if notation == "json":
                    json.loads(out.decode())
                elif notation == "csv":
                    table(what, out)
                elif notation == "html":
                    same_action(what, out, profkit(command, "--format", notation, *plain_files)[1], active_html)
                else:
                    plain(what, out)
            except Exception as e:
                fail(what, repr(e)[:300])


def page(source, harmless):
    """The page of report has data of its own beside the text; as a document it has what any page has."""
    pages = [profkit("report", "-q", "-o", "-", path) for path in (source, harmless)]
    if any(status for status, _, _ in pages):
        fail(("report", source.name), pages[0][2][-300:])
    else:
        same_action(("report", source.name), pages[0][1], pages[1][1], active_html)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for kind, make in (("speedscope", speedscope), ("trace", trace)):
            paths = []
            for state, names in (("hostile", NAMES), ("harmless", HARMLESS)):
                paths.append(work / f"{kind}-{state}.json")
                paths[-1].write_text(json.dumps(make(names)))
            write_all(work, *paths)
            show_all(work, *paths)
            page(*paths)
    for line in failures:
        print(line[:600])
    print(f"{cases} runs, {len(NAMES)} names, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
