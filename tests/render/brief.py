#!/usr/bin/env python3
"""`profkit brief` of a fixture of each format, at several budgets: it never has more tokens than
asked for, counted here again by the rule of the manual; every command that it prints runs as it is
printed; and a handle means to `callers` the function that it stood before."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PROFKIT = os.path.realpath(os.environ["PROFKIT"])
TESTDATA = pathlib.Path(os.path.realpath(os.environ["TESTDATA"]))
BUDGETS = [50, 120, 300, 800]  # two of them for each file, in turn, and the largest
LARGEST = 2000
SKIPPED = {"check", "profkit-baseline"}  # no profiles of a single run
TOKEN = re.compile(rb"[A-Za-z]{1,4}|[0-9]{1,3}|[^ ]", re.S)
ROW = re.compile(r"\| (f\d+) (.*)$")
failed = []
ran = {}


def expect(what, good, said=""):
    if not good:
        failed.append(what)
        print(f"not ok: {what}\n{said[:2000]}")


def run(arguments, folder):
    return subprocess.run([PROFKIT, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)


def fixtures():
    """The smallest two of each folder that profkit reads."""
    for folder in sorted(TESTDATA.iterdir()):
        files = [f for f in sorted(folder.glob("*"), key=lambda f: (f.is_file() and f.stat().st_size, f.name))
                 if f.is_file() and f.suffix != ".dump" and f.with_suffix(".dump").is_file()]
        if folder.name not in SKIPPED:
            yield from files[len(files) // 2:][:2]


def check_commands(name, text, folder):
    for line in text.splitlines():
        if not line.startswith("profkit "):
            continue
        words = shlex.split(line, comments=True)
        done = run(words[1:], folder)
        expect(f"{name}: '{line}' runs", done.returncode == 0, done.stderr.decode(errors="replace"))
        ran[words[1]] = ran.get(words[1], 0) + 1


def check_handles(name, text, path, folder):
    for handle, label in [m.groups() for m in map(ROW.search, text.splitlines()) if m][:2]:
        done = run(["callers", "-q", "--format", "brief", "--budget", "0", handle, path], folder)
        rows = [m.groups() for m in map(ROW.search, done.stdout.decode().splitlines()) if m]
        expect(f"{name}: {handle} is '{label}'", rows and rows[0] == (handle, label),
               done.stdout.decode() + done.stderr.decode())


def check(number, path, folder):
    name = str(path.relative_to(TESTDATA))
    text = ""
    for budget in BUDGETS[number % 2::2] + [LARGEST]:
        done = run(["brief", "--budget", str(budget), str(path)], folder)
        tokens = len(TOKEN.findall(done.stdout))
        expect(f"{name}: brief", done.returncode == 0 and done.stdout, done.stderr.decode(errors="replace"))
        expect(f"{name}: {tokens} tokens of {budget}", tokens <= budget, done.stdout.decode())
        text = done.stdout.decode()
    check_commands(name, text, folder)
    if " functions" in text.split("\n")[0]:
        check_handles(name, text, str(path), folder)


with tempfile.TemporaryDirectory() as work:
    names = list(fixtures())
    for number, fixture in enumerate(names):
        check(number, fixture, work)
print(f"{len(names)} files; commands that ran: {json.dumps(ran)}")
expect("every kind of hint was seen", {"lines", "callers", "tree", "memory", "gpu"} <= set(ran), str(ran))
sys.exit(1 if failed else 0)
