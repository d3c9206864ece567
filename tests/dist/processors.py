#!/usr/bin/env python3
"""The static program for another processor, run by qemu-user: what it prints and draws is that of this build, byte for
byte. Skipped where dist/build_static.sh --for MACHINE has not made it (DIST_OUT is the folder in which it is) or there
is no qemu. A filter of system calls is not to be had in qemu-user: the program has to say so if one is demanded."""
import os
import platform
import shutil
import subprocess
import sys
import tempfile

from steps import expect, failed

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
OUT = os.environ.get("DIST_OUT", os.path.join(ROOT, "dist", "out"))
PROFKIT = os.environ["PROFKIT"]
DATA = os.environ.get("TESTDATA", os.path.join(ROOT, "testdata"))
BEFORE, AFTER = (os.path.join(DATA, "example", name) for name in ("before.prof", "after.prof"))
# $OUT: a file that is written and compared
COMMANDS = [
    [BEFORE],
    ["flamegraph", BEFORE, "-o", "$OUT.svg"],
    ["report", BEFORE, "-o", "$OUT.html"],
    ["query", BEFORE, "select name, self from function order by self desc, name limit 20"],
    ["diff", BEFORE, AFTER],
    ["convert", BEFORE, "-o", "$OUT.speedscope.json"],
    ["brief", os.path.join(DATA, "example", "orders.raw.txt")],
    ["gpu", os.path.join(DATA, "torch", "rank0.json"), os.path.join(DATA, "torch", "rank1.json")],
    ["info", os.path.join(DATA, "example", "nothing.prof")],
]


def run(program, words, out):
    env = dict(os.environ, LC_ALL="C.UTF-8", PROFKIT_SANDBOX="auto")
    path = ""
    for i, word in enumerate(words):
        if word.startswith("$OUT"):
            path = out + word[4:]
            words = words[:i] + [path] + words[i + 1:]
    done = subprocess.run([*program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=env)
    written = b""
    if path and os.path.exists(path):
        with open(path, "rb") as file:
            written = file.read()
    return done.returncode, done.stdout, done.stderr.replace(out.encode(), b"OUT"), written


def check_commands(program, folder):
    for words in COMMANDS:
        here = run([PROFKIT], words, os.path.join(folder, "here"))
        there = run(program, words, os.path.join(folder, "there"))
        expect(f"{' '.join(words)}: {here} here, {there} there", here == there)
        expect(f"{' '.join(words)}: something is printed or written", any(here[1:]))
    graph = run(program, ["callgraph", BEFORE, "-o", "$OUT.svg"], os.path.join(folder, "graph"))
    expect(f"callgraph: {graph}", graph[0] == 0 and b"price_of" in graph[3] and graph[3].endswith(b"</svg>\n"))
    status, _, said, _ = run(program, ["--sandbox", BEFORE], os.path.join(folder, "none"))
    expect(f"a sandbox that is demanded: {said}", status == 2 and b"the sandbox cannot be used here" in said)


def check_wheel(machine, binary, folder):
    wheel = subprocess.run([sys.executable, os.path.join(ROOT, "dist", "make_wheels.py"), "--binary", binary, "-o", folder],
                           stdout=subprocess.PIPE, check=False, text=True).stdout.strip()
    expect(f"{wheel} is for {machine}", wheel.endswith(f"_{machine}.whl") and os.path.exists(wheel)
           and platform.machine() not in os.path.basename(wheel))
    expect("a file that is no program", subprocess.run(
        [sys.executable, os.path.join(ROOT, "dist", "make_wheels.py"), "--binary", BEFORE, "-o", folder],
        stderr=subprocess.DEVNULL, check=False).returncode != 0)


def main():
    count = 0
    for machine in sorted({"x86_64", "aarch64"} - {platform.machine()}):
        binary = os.path.join(OUT, machine, "profkit")
        qemu = shutil.which(f"qemu-{machine}-static") or shutil.which(f"qemu-{machine}")
        if not os.path.exists(binary):
            print(f"skipped: {binary} is not there (dist/build_static.sh --for {machine} makes it)")
        elif not qemu:
            print(f"skipped: qemu-{machine}-static is not there (Debian: qemu-user-static)")
        else:
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                check_wheel(machine, binary, folder)
                check_commands([qemu, binary], folder)
    sys.exit(bool(failed) if count else 77)


main()
