#!/usr/bin/env python3
"""The tutorial of profkit-gpu(1): each of its commands prints, in a terminal of 72 columns, what it says, on the traces that it
names. Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder)."""
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

import corpus

CORPUS = os.path.abspath(corpus.corpus())
DATA = f"{CORPUS}/peers/HolisticTraceAnalysis/tests/data"
TRACES = ["timeline_analysis/sampled_rank-0.json.gz", "trace_filter/sampled_rank-1.json.gz"]
INDENT = 8


def printed(command, folder):
    """What a terminal would get, in the order in which it came."""
    child, terminal = pty.fork()
    if not child:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 72, 0, 0))
        os.chdir(folder)
        os.environ.update(NO_COLOR="1", PAGER="cat", TERM="xterm", LC_ALL="C.UTF-8")
        os.execv(os.environ["PROFKIT"], ["profkit", *command.split()[1:]])
    text = b""
    while True:
        try:
            text += os.read(terminal, 65536)
        except OSError:  # it has ended
            break
    os.waitpid(child, 0)
    os.close(terminal)
    lines = re.sub("\r[^\n]*\r(\x1b\\[K)?", "", text.decode().replace("\r\n", "\n")).split("\n")
    return [line.rstrip() for line in lines]


def examples():
    """Commands and the lines below them."""
    manual = subprocess.run([os.environ["PROFKIT"], "help", "gpu"], stdout=subprocess.PIPE, check=True, text=True).stdout
    tutorial = manual.split("\nTUTORIAL\n")[1].split("\nTHE VIEWS\n")[0]
    found = []
    for line in tutorial.split("\n"):
        if line.startswith(" " * INDENT + "$ profkit "):
            found.append((line[INDENT + 2:], []))
        elif found and (line.startswith(" " * INDENT) or not line):
            found[-1][1].append(line[INDENT:].rstrip())
        elif found and line.strip():
            found[-1][1].append(None)  # text: what follows is none of the output
    return [(command, lines[:lines.index(None)] if None in lines else lines) for command, lines in found]


def main():
    if not os.path.isdir(DATA):
        print("no corpus (PROFKIT_CORPUS)")
        return 77
    os.environ["PROFKIT"] = os.path.abspath(os.environ["PROFKIT"])
    failed, commands = False, examples()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/ranks")
        for i, trace in enumerate(TRACES):
            shutil.copy(f"{DATA}/{trace}", f"{folder}/ranks/rank{i}.json.gz")
        for command, should in commands:
            is_, should = "\n".join(printed(command, folder)).strip("\n"), "\n".join(should).strip("\n")
            if is_ != should:
                failed = True
                print(f"the tutorial has other output of: {command}\n{is_}")
    print(f"{len(commands)} commands")
    return failed or len(commands) < 7


sys.exit(main())
