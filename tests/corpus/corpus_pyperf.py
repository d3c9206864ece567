#!/usr/bin/env python3
"""What pyperf prints of every result in the corpus: FILE.expected-show.txt, -stats, -hist, -metadata, -check, -dump;
and of several: A+B.expected-compare_to-OPTIONS.txt, where suite-1+2 are suite-1 and suite-2.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import os
import re
import subprocess
import sys

from corpus import compare_files, corpus

EXPECTED = re.compile(r"(.*)\.expected-(show|stats|hist|metadata|check|dump)\.txt")
COMPARED = re.compile(r"(.*)-(\w+(?:\+\w+)+)\.expected-compare_to(-.*)?\.txt")
OPTIONS = {"table": [], "md": ["--format", "markdown"], "v": ["-v"], "G": ["-G"], "min": [], "speed2": ["--min-speed", "2"]}


def command_for(name):
    if one := EXPECTED.fullmatch(name):
        return ["hotspots", "--like", "pyperf-" + one[2], one[1]]
    stem, names, options = COMPARED.fullmatch(name).groups()
    words = (options or "").split("-")[1:]
    tool = "pyperf-table" if "table" in words else "pyperf-compare"
    return ["diff", "--like", tool, *(option for word in words for option in OPTIONS[word]),
            *(f"{stem}-{part}.json" for part in names.split("+"))]


def compare(path):
    command = [os.path.abspath(os.environ.get("PROFKIT", "./profkit")), *command_for(path.name)]
    done = subprocess.run(command, capture_output=True, check=False, cwd=path.parent)
    if done.returncode or (done.stderr and "-v" not in command):
        raise ValueError(done.stderr.decode(errors="replace"))
    assert done.stdout == path.read_bytes(), "differs"
    return 1


files = [path for path in sorted(corpus().glob("*/pyperf/*")) if EXPECTED.fullmatch(path.name) or COMPARED.fullmatch(path.name)]
sys.exit(compare_files(files, compare, "texts of pyperf", 40))
