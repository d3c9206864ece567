#!/usr/bin/env python3
"""The same input gives the same bytes, wherever, whenever and by whomever profkit is run.

Every fixture is converted to every format and shown by every command, in environments that
differ in locale, time zone, umask, threads, folder, user, seed of hashes, and what memory holds before it is
used.
Standard output, messages, status and files must be equal. Inputs large enough to be read by several
threads are generated.

    make determinism                        all of it, and the tests of the command line as well
    PROFKIT=build/profkit tests/hostile/determinism.py       one case in THIN, as make check runs it

DETERMINISM=all is what make determinism sets; DETERMINISM=threads, what make tsan does: only what several
threads do, with one and with several.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ALL = os.environ.get("DETERMINISM") == "all"
THREADS = os.environ.get("DETERMINISM") == "threads"
THIN = 1 if ALL else 80
NOTATIONS = ("text", "csv", "json", "markdown", "html")
# Neither commands that show a profile, nor such that need more than one; those are in PICTURES and MORE.
NOT_SHOWN = {"help", "formats", "store", "query", "check", "merge", "convert", "callgraph", "flamegraph",
             "timeline", "slice", "history", "callers", "callees"}
# What to run, with {} for the file and OUT for a file that is written. Not PDF, which has the date in it.
PICTURES = [
    ["flamegraph", "{}", "-o", "OUT.svg"], ["flamegraph", "--flamechart", "{}"], ["flamegraph", "--hash", "{}"],
    ["flamegraph", "--colors", "java", "--reverse", "-i", "{}"], ["flamegraph", "--diff", "{}", "{}"],
    ["timeline", "{}", "-o", "OUT.svg"], ["timeline", "--flows", "--javascript", "{}"],
    ["callgraph", "--to", "dot", "{}"], ["callgraph", "--to", "svg", "{}"], ["callgraph", "--to", "png", "-o", "OUT.png", "{}"],
]
MORE = [
    ["callers", "{}", "main"], ["callees", "{}", "main"], ["diff", "--view", "tree", "{}", "{}"],
    ["merge", "{}", "{}", "--to", "speedscope", "-o", "-"], ["merge", "{}", "{}", "--to", "store", "-o", "OUT.db"],
    ["slice", "--time", "10%..60%", "{}", "--to", "json", "-"], ["store", "add", "OUT.db", "{}"],
    ["query", "{}", "SELECT * FROM function LIMIT 50"], ["tree", "-b", "{}"], ["hotspots", "--like", "pstats", "{}"],
    ["hotspots", "--by-worker", "{}"], ["check", "--baseline", "{}", "{}"], ["ops", "--like", "torch", "{}"],
    ["convert", "{}", "-o", "OUT.folded.gz"], ["convert", "{}", "-o", "OUT.json.zst"],
]


def environments(work):
    """What differs; the first is what others are compared with."""
    common = {name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")
              if name in os.environ}
    found = [
        ({"LC_ALL": "C", "TZ": "UTC", "MALLOC_PERTURB_": "0", "HOME": "/", "USER": "root",
          "PROFKIT_HASH_SEED": "0"}, 0o022, 1),
        ({"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu", "MALLOC_PERTURB_": "165", "HOME": "/tmp", "USER": "nobody",
          "MALLOC_ARENA_MAX": "1", "TERM": "xterm-256color", "COLUMNS": "40", "LINES": "10",
          "PROFKIT_HASH_SEED": "1"}, 0o077, 4),
    ]
    for name, charset in (("tr_TR", "UTF-8"), ("de_DE", "UTF-8"), ("de_DE", "ISO-8859-1")):
        path = work / "locales" / f"{name}.{charset}"
        path.parent.mkdir(exist_ok=True)
        if not shutil.which("localedef") or subprocess.run(
                ["localedef", "-i", name, "-f", charset, str(path)], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode > 1 or not path.is_dir():
            print(f"not tried: locale {name}.{charset} cannot be made here")
            continue
        if not ALL and name != "tr_TR":
            continue
        found.append(({"LC_ALL": path.name, "LOCPATH": str(path.parent), "TZ": "America/St_Johns",
                       "MALLOC_PERTURB_": "90", "SOURCE_DATE_EPOCH": "86400", "TERM": "dumb", "COLUMNS": "300",
                       "PROFKIT_HASH_SEED": "77"}, 0o027, 3))
    return [({**common, **variables}, umask, jobs) for variables, umask, jobs in found]


def run(number, environment, folder, command):
    """A digest of all that a command does; folders are prepared by the caller."""
    variables, umask, jobs = environment
    here = folder / str(number)
    here.mkdir()
    os.symlink(folder.parent / "data", here / "data")
    result = subprocess.run([os.environ["PROFKIT"], *command, "-j", str(jobs)], cwd=here, env=variables,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            umask=umask)
    output = result.stdout
    if "pstats" in command:
        # As Python prints it, it begins with the times of the files, which are those of the place.
        output = re.sub(rb"(?m)^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}", b"", output)
    parts = {"status": str(result.returncode).encode(), "output": output, "messages": result.stderr}
    for path in sorted(here.iterdir()):
        if path.name != "data":
            parts[path.name] = path.read_bytes()
    shutil.rmtree(here)
    return {name: (hashlib.sha256(data).hexdigest(), data[:100000]) for name, data in parts.items()}


def differences(number, environment_list, folders, command):
    """What differs, as text; nothing if all is the same."""
    first = run(number, environment_list[0], folders[0], command)
    if first["status"][1].startswith(b"-"):
        return "%s: killed by signal %s" % (" ".join(command), first["status"][1][1:].decode())
    if not any(data for name, (_, data) in first.items() if name != "status"):
        return "%s: status %s, and nothing is written" % (" ".join(command), first["status"][1].decode())
    for environment, folder in zip(environment_list[1:], folders[1:]):
        other = run(number, environment, folder, command)
        for part in sorted(first.keys() | other.keys()):
            a, b = first.get(part, ("", b"")), other.get(part, ("", b""))
            if a[0] != b[0]:
                at = next((i for i, (x, y) in enumerate(zip(a[1], b[1])) if x != y), min(len(a[1]), len(b[1])))
                return "%s: %s with LC_ALL=%s -j %d differs from byte %d: %r, and %r" % (
                    " ".join(command), part, environment[0]["LC_ALL"], environment[2], at,
                    a[1][max(0, at - 20):at + 40], b[1][max(0, at - 20):at + 40])
    left = [name for name in first if name.endswith(".tmp")]
    return "%s: left %s" % (" ".join(command), left[0]) if left else None


def gathered(waiting):
    """What all of them found; says every half minute how far they are."""
    failures, said = [], time.monotonic()
    for count, future in enumerate(concurrent.futures.as_completed(waiting), 1):
        if future.result():
            failures.append(future.result())
        if time.monotonic() - said > 30:
            said = time.monotonic()
            print(f"{count} of {len(waiting)} commands, {len(failures)} differ", flush=True)
    return sorted(failures)


def listed(path):
    text = (SOURCE / path).read_text()
    return [line.split("(")[1].rstrip(")\n").replace("_", "-") for line in text.splitlines() if "(" in line]


def commands_for(path):
    yield from (["convert", path, "--to", writer, "-o", "OUT"] for writer in listed("src/writers/writers.def"))
    for command in listed("tools/commands.def"):
        if command not in NOT_SHOWN:
            files = [path, path] if command == "diff" else [path]
            yield from ([command, "--format", notation, *files] for notation in NOTATIONS)
    for command in PICTURES + MORE:
        yield [path if word == "{}" else word for word in command]


def large_inputs(folder):
    """Inputs that several threads read: folded stacks, perf script's text, and a trace.

    They are read in pieces of at least 4 MB. Long names make them large, not many calls: what comes
    after reading would take the time.
    """
    scale, long_name = 2 if ALL else 1, "a_name_that_fills_the_file_" * 9
    with open(folder / "large.folded", "w") as f:
        for i in range(30000 * scale):
            f.write("main;worker_%d;%s%d;inner_%d;leaf_%d %d\n" % (
                i % 8, long_name, i % 37, i * i % 1013, i % 4093, i % 91))
    with open(folder / "large.perf", "w") as f:
        for i in range(14000 * scale):
            f.write("app %5d/%-5d [00%d] %5d.%06d: %8d cpu-clock: \n\t%16x leaf_%d+0x%x (/usr/bin/app)\n"
                    "\t%16x %s%d+0x1f (/usr/%s/app)\n\t%16x main+0x8f (/usr/bin/app)\n\n" % (
                        100 + i % 3, 100 + i % 7, i % 4, i // 1000, i % 1000 * 1000, 1000 + i % 5, 4096 + i % 999,
                        i % 999, i % 16, 90000 + i % 31, long_name, i % 31, long_name, 99))
    with open(folder / "large.json", "w") as f:
        f.write('{"traceEvents": [\n')
        for i in range(30000 * scale):
            f.write('{"ph": "X", "name": "%s%d", "cat": "c%d", "pid": %d, "tid": %d, "ts": %d.5, "dur": %d.25},\n' % (
                long_name, i % 777, i % 5, i % 2, i % 6, i * 3, 1 + i % 40))
        f.write('{"ph": "i", "name": "end", "pid": 0, "tid": 0, "ts": 1}]}\n')


def cases(data):
    """Every case, or one in THIN, drawn by the text of the command; those that take long come first."""
    for path in sorted(data.glob("large.*")):
        name = os.path.relpath(path, data.parent)
        yield from ([*command, name] for command in (["info"], ["hotspots", "--format", "csv"]))
        if not THREADS:
            yield ["convert", name, "--to", "store", "-o", "OUT"]
        if ALL:
            yield from commands_for(name)
    yield ["diff", "--format", "folded", "data/large.folded", "data/diff/before.folded"]
    several = {kind: sorted(os.path.relpath(path, data.parent) for path in data.glob(f"{kind}/*{suffix}")) * 3
               for kind, suffix in (("flamegraph-svg", ".svg"), ("pstats", ".prof"), ("austin-mojo", ".mojo"),
                                    ("perf-script", ".perf"), ("chrome", ".json"))}
    for names in several.values():
        yield ["store", "add", "OUT.db", *names]
        yield ["info", *names]
    for path in [] if THREADS else sorted(data.glob("*/*")):
        name = os.path.relpath(path, data.parent)
        if not path.is_file() or path.suffix in (".dump", ".py", ".sh") or path.name == "SOURCE":
            continue
        for command in commands_for(name):
            if zlib.crc32(" ".join(command).encode()) % THIN == 0:
                yield command
    for path in [] if THREADS else sorted(data.glob("*/bad/*")):
        yield ["info", os.path.relpath(path, data.parent)]


def cli_tests(work, environment, number):
    """The tests of the command line, whose expected outputs are the same in every environment."""
    variables, umask, _ = environment
    program = work / f"profkit-{number}"
    program.write_text("#!/bin/sh\numask %o\n%sexec '%s' \"$@\"\n" % (
        umask, "".join(f"export {k}=\"${{{k}-{v}}}\"\n" if k == "TZ" else f"export {k}='{v}'\n"
                       for k, v in variables.items() if k not in ("PATH", "HOME", "USER", "TERM", "COLUMNS", "LINES")),
        os.path.realpath(os.environ["PROFKIT"])))
    program.chmod(0o755)
    result = subprocess.run([str(SOURCE / "tests/cli/run.sh")], env={**os.environ, "PROFKIT": str(program)},
                            stdout=subprocess.PIPE, text=True)
    lines = result.stdout.splitlines() or ["# nothing was run"]
    print(f"command line, LC_ALL={variables['LC_ALL']}: {lines[-1][2:]}", flush=True)
    return [f"LC_ALL={variables['LC_ALL']}: {line}" for line in lines if line.startswith("not ok")] or (
        [f"LC_ALL={variables['LC_ALL']}: status {result.returncode}"] if result.returncode else [])


def main():
    if os.environ.get("SANITIZE") and os.environ.get("DETERMINISM") != "all":
        print("skipped: outputs are compared without sanitizers")
        sys.exit(77)
    os.environ["PROFKIT"] = os.path.realpath(os.environ["PROFKIT"])
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        environment_list = environments(work)[:2 if THREADS else None]
        data = work / "data"
        shutil.copytree(SOURCE / "testdata", data)
        large_inputs(data)
        folders = []
        for i in range(len(environment_list)):
            # Names of folders of other lengths are other places in memory, too.
            folders.append(work / ("folder" * i + str(i)))
            folders[-1].mkdir()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() if ALL else 2) as pool:
            waiting = [pool.submit(differences, number, environment_list, folders, command)
                       for number, command in enumerate(cases(data))]
            failures = gathered(waiting)
        print(f"{len(waiting)} commands, each in {len(environment_list)} environments", flush=True)
        if ALL:
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                several = range(1, len(environment_list))
                for found in pool.map(cli_tests, [work] * len(several), environment_list[1:], several):
                    failures += found
    for line in failures[:50]:
        print(line)
    print(f"{len(waiting)} commands in {len(environment_list)} environments, {len(failures)} differ")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
