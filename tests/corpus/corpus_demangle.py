#!/usr/bin/env python3
"""Mangled names of the corpus are made readable as c++filt has them; without parameters and
template arguments they are what pprof's rule makes of that.

Every file of perf script with such names is read as it is and with --demangle full: the names
are those that c++filt -i prints, and no cost is lost. Views show them so without an option; what
is converted keeps the names that were read.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder),
or no c++filt.
"""
import collections
import csv
import io
import os
import re
import shutil
import subprocess
import sys

from corpus import corpus

SKIP = 77
FILES = [
    "generated/perf-script/cpp-nodemangle.txt",
    "generated/perf-script/rust-nodemangle.txt",
    "peers/FlameGraph/test/perf-java-faults-01.txt",
    "peers/gprof2dot/tests/perf/glxgears.perf",
    "peers/speedscope/sample/profiles/linux-perf/rust-mangled.linux-perf.txt",
]
MANGLED = re.compile(r"_(Z|R[A-Z]|GLOBAL_)\w")
# What --demangle simple makes of some of them.
SIMPLE = {
    "_ZN4demo4work17hd2568a182f662a37E": "demo::work",
    "_ZN40_$LT$demo..Ci$u20$as$u20$demo..Shape$GT$4area17h7307257a4c89daa4E":
        "<demo::Ci as demo::Shape>::area",
    "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17hc6ac2921ddeee6e5E":
        "std::rt::lang_start::{{closure}}",
    "_Z3runSt8functionIFviiEEi": "run",
    "_ZNK12_GLOBAL__N_15Local4spinEi": "(anonymous namespace)::Local::spin",
    "_ZN10JavaThread3runEv": "JavaThread::run",
}


def run(*arguments):
    profkit = os.environ.get("PROFKIT", "./profkit")
    done = subprocess.run([profkit, *map(str, arguments)], capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


def costs(path, how):
    """name -> self of all metrics"""
    text = run("query", "--demangle", how, "--format", "csv", path,
               "select s.text, sum(self) from cost join node on node.id = node"
               " join location l on l.id = location join function f on f.id = l.function"
               " join string s on s.id = f.name group by 1")
    return {name: int(value) for name, value in list(csv.reader(io.StringIO(text)))[1:]}


def names(path, how):
    text = run("query", "--demangle", how, "--format", "csv", path,
               "select distinct s.text from function f join string s on s.id = f.name")
    return [row[0] for row in list(csv.reader(io.StringIO(text)))[1:]]


def filtered(texts):
    done = subprocess.run(["c++filt", "-i"], input="\n".join(texts) + "\n", text=True,
                          capture_output=True, check=True)
    return dict(zip(texts, done.stdout.split("\n")))


def check(path):
    """How many mangled names there are, and what is wrong."""
    wrong = []
    before = names(path, "no")
    right = filtered(before)
    mangled = [n for n in before if MANGLED.match(n) and right[n] != n]
    if sorted(set(right.values())) != sorted(names(path, "full")):
        wrong.append(f"{path}: {set(right.values()) ^ set(names(path, 'full'))}")
    sums = collections.Counter()
    for name, value in costs(path, "no").items():
        sums[right[name]] += value
    if dict(sums) != costs(path, "full"):
        wrong.append(f"{path}: costs differ")
    simple = set(names(path, "simple"))
    wrong += [f"{path}: {SIMPLE[n]} is not among simple names" for n in mangled
              if n in SIMPLE and SIMPLE[n] not in simple]
    if sum(costs(path, "simple").values()) != sum(sums.values()):
        wrong.append(f"{path}: --demangle simple loses costs")
    shown = run("hotspots", "--format", "json", path)
    folded = run("convert", "-q", "--to", "folded", path, "-")
    for name in mangled:
        if f'"{name}"' in shown:
            wrong.append(f"{path}: hotspots shows {name}")
        if name not in folded:
            wrong.append(f"{path}: convert does not keep {name}")
    return len(mangled), wrong


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    if not shutil.which("c++filt"):
        print("no c++filt")
        return SKIP
    total, wrong = 0, []
    for name in FILES:
        found, errors = check(root / name)
        total += found
        wrong += errors if found else [f"{name} has no mangled names"]
    print(f"{len(FILES)} files, {total} mangled names")
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
