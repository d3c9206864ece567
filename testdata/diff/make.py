#!/usr/bin/env python3
"""Makes the files of this folder: profiles by cProfile of variants of a small program, whose
clock goes by what the program says it takes, so that every run gives the same numbers."""

import cProfile
import marshal
import os
import random
import subprocess
import sys

BASE = '''
def tokenise(text):
    work(1)

def parse(text):
    work(2)
    tokenise(text)

def load(count):
    for i in range(count):
        parse("row")

def price(row):
    work(3)

def format_row(row):
    work(1)

def report(count):
    work(5)
    for i in range(count):
        format_row(i)

def main():
    load(20)
    for i in range(20):
        price(i)
    report(10)
'''

def replaced(*pairs, source=BASE):
    for old, new in pairs:
        assert old in source, old
        source = source.replace(old, new)
    return source


VARIANTS = {
    "before": BASE,
    # A function more than before: the other times are what they were.
    "slower": replaced(("def tokenise(text):\n    work(1)", "def tokenise(text):\n    work(4)")),
    "faster": replaced(("work(3)", "work(1)")),
    # One call more, of a function that takes no time.
    "called": replaced(("def format_row(row):\n    work(1)",
                        "def format_row(row):\n    pass"),
                       ("    work(5)", "    work(15)\n    format_row(None)")),
    "called-before": replaced(("def format_row(row):\n    work(1)",
                               "def format_row(row):\n    pass"),
                              ("    work(5)", "    work(15)")),
    # Twice as many calls.
    "often": replaced(("        price(i)", "        price(i); price(i)")),
    # A part of a function becomes a function of its own.
    "moved": replaced(("    work(2)\n    tokenise(text)", "    tokenise(text)\n    split(text)"),
                      ("def load", "def split(text):\n    work(2)\n\ndef load")),
    "renamed": replaced(("price", "price_of_row"), ("\ndef tokenise", '\n# A\n# comment.\n\ndef tokenise')),
    "gone": replaced(("        format_row(i)", "        pass"), ("def format_row(row):\n    work(1)\n\n", "")),
}


class Clock:
    """In seconds; noise is what a run takes more or less, function by function."""

    def __init__(self, noise=None, speed=1):
        self.now = 0
        self.noise = noise
        self.speed = speed

    def __call__(self):
        self.now += 1e-6
        return self.now

    def work(self, ms):
        if self.noise:
            ms *= self.speed * self.noise.lognormvariate(0, 0.05)
        self.now += ms / 1000


def profile(source, path, name, clock):
    space = {"work": clock.work}
    exec(compile(source, name, "exec"), space)
    profiler = cProfile.Profile(clock, subcalls=True, builtins=False)
    profiler.runcall(space["main"])
    profiler.create_stats()
    # The clock itself is not the program.
    stats = {key: row for key, row in profiler.stats.items() if key[0] == name}
    hidden = {key: row for key, row in profiler.stats.items() if key[2] == "work"}
    for callers in (row[4] for row in hidden.values()):
        for caller, edge in callers.items():
            cc, nc, tt, ct, who = stats[caller]
            stats[caller] = cc, nc, tt + edge[2], ct, who
    with open(path, "wb") as f:
        marshal.dump(stats, f)


def folded(path, counts):
    with open(path, "w") as f:
        for stack, count in counts:
            f.write("%s %d\n" % (stack, count))


def main():
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, source in VARIANTS.items():
        profile(source, name + ".prof", "/home/a/shop/orders.py", Clock())
    profile(replaced(("\ndef tokenise", '\n"""Of another machine."""\n\ndef tokenise')),
            "elsewhere.prof", "/builds/7/shop/orders.py", Clock())
    profile(BASE, "file.prof", "/home/a/shop/sales.py", Clock())
    profile(BASE, "python3.11.prof", "/venv/lib/python3.11/site-packages/shop-1.0-py3.11.egg/shop/orders.py", Clock())
    profile(BASE, "python3.12.prof", "/usr/lib/python3.12/site-packages/shop/orders.py", Clock())
    profile("def main():\n    other()\n\ndef other():\n    work(1)\n", "other.prof", "/home/a/game.py", Clock())
    for side, source in ("a", BASE), ("b", VARIANTS["slower"]):
        for run in range(1, 7):
            noise = random.Random("%s%d" % (side, run))
            clock = Clock(noise, noise.lognormvariate(0, 0.1))
            profile(source, "run-%s%d.prof" % (side, run), "/home/a/shop/orders.py", clock)
    folded("before.folded", [("main;load;parse", 40), ("main;load;parse;tokenise", 20),
                             ("main;price", 60), ("main;report;format", 10), ("main;old", 7)])
    folded("after.folded", [("main;load;parse", 42), ("main;load;parse;tokenise", 81),
                            ("main;price", 20), ("main;report;format_row", 10), ("main;report", 3)])


if __name__ == "__main__":
    main()
