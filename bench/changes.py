#!/usr/bin/env python3
"""What `profkit check` says of real changes: twenty small programs, each with an optimisation and
with a regression, recorded with cProfile in turn, and judged against the recordings of the program
as it was.

    changes.py [-s RUNS-A-SIDE] [-p PROFKIT] [-k FOLDER] [--wall] [NAME...]

Recorded is CPU time, which a busy machine disturbs less; with --wall it is elapsed time, as
`python -m cProfile` records.

A line for each change: how the measured total changes, and the verdict. The last lines count the
optimisations that fail a build (there should be none) and the regressions that pass."""
import argparse
import cProfile
import collections
import csv as csv_module
import datetime
import fractions
import functools
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import zlib

PROGRAMS = {}


def program(cls):
    """Programs are classes with work(self, x), whose subclasses `fast` and `slow` are the changes."""
    PROGRAMS[cls.__name__] = cls
    return cls


class Program:
    """What all programs do beside their own work, as a real program does: 100 rounds of it."""

    rounds = 100

    def __init__(self):
        self.random = random.Random(7)
        self.setup()

    def setup(self):
        pass

    def run(self):
        for i in range(self.rounds):
            self.read(i)
            self.work(i)
            self.report(i)

    def read(self, i):
        return [parse(line) for line in ("%d;%d;name%d" % (i, j, j) for j in range(400))]

    def report(self, i):
        return "".join(escape(word) for word in ("<%d>&" % j for j in range(i, i + 400)))


def parse(line):
    first, second, name = line.split(";")
    return int(first), int(second), name


def escape(word):
    return word.replace("&", "&amp;").replace("<", "&lt;")


@program
class lookup(Program):
    def setup(self):
        self.keys = [f"key{i}" for i in range(300)]
        self.index = {key: i for i, key in enumerate(self.keys)}

    def find(self, key):
        for i, other in enumerate(self.keys):
            if other == key:
                return i
        return -1

    def work(self, i):
        for key in self.keys[::8]:
            self.find(key)

    class fast:
        def find(self, key):
            return self.index.get(key, -1)

    class slow:
        def find(self, key):
            for i, other in enumerate(sorted(self.keys)):
                if other == key:
                    return i
            return -1


@program
class join(Program):
    def text(self, words):
        out = ""
        for word in words:
            out = out + word + ","
        return out

    def work(self, i):
        for _ in range(8):
            self.text(["word"] * 900)

    class fast:
        def text(self, words):
            return ",".join(words)

    class slow:
        def text(self, words):
            out = ""
            for word in words:
                out = "".join([out, word, ","])
            return out


@program
class pattern(Program):
    line = "2024-05-06 12:00:01 host7 GET /index.html?x=1 200 512"

    def match(self, line):
        return re.match(r"(\S+) (\S+) (\S+) (\S+) (\S+) (\d+) (\d+)", line)

    def work(self, i):
        for _ in range(400):
            self.match(self.line)

    class fast:
        compiled = re.compile(r"(\S+) (\S+) (\S+) (\S+) (\S+) (\d+) (\d+)")

        def match(self, line):
            return self.compiled.match(line)

    class slow:
        def match(self, line):
            return re.match(r"(.*) (.*) (.*) (.*) (.*) (\d+) (\d+)", line)


@program
class encode(Program):
    def setup(self):
        self.rows = [{"id": i, "name": f"n{i}", "tags": ["a", "b"]} for i in range(200)]

    def save(self, rows):
        return "\n".join(json.dumps(row) for row in rows)

    def work(self, i):
        self.save(self.rows)

    class fast:
        def save(self, rows):
            return json.dumps(rows)

    class slow:
        def save(self, rows):
            return "\n".join(json.dumps(row, sort_keys=True, indent=1) for row in rows)


@program
class fibonacci(Program):
    def fib(self, n):
        return n if n < 2 else self.fib(n - 1) + self.fib(n - 2)

    def work(self, i):
        self.fib(13)

    class fast:
        def fib(self, n):
            a, b = 0, 1
            for _ in range(n):
                a, b = b, a + b
            return a

    class slow:
        def fib(self, n):
            return n if n < 2 else self.check(n) and self.fib(n - 1) + self.fib(n - 2)

        def check(self, n):
            return isinstance(n, int) and n > 0


@program
class primes(Program):
    def is_prime(self, n):
        for d in range(2, n // 2 + 1):
            if n % d == 0:
                return False
        return n > 1

    def work(self, i):
        sum(1 for n in range(9000, 9100) if self.is_prime(n))

    class fast:
        def is_prime(self, n):
            for d in range(2, int(n**0.5) + 1):
                if n % d == 0:
                    return False
            return n > 1

    class slow:
        def is_prime(self, n):
            return n > 1 and not [d for d in range(2, n) if n % d == 0]


@program
class matrix(Program):
    def setup(self):
        self.a = [[self.random.random() for _ in range(24)] for _ in range(24)]

    def multiply(self, a, b):
        n = len(a)
        return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]

    def work(self, i):
        self.multiply(self.a, self.a)

    class fast:
        def multiply(self, a, b):
            columns = list(zip(*b))
            return [[sum(map(float.__mul__, row, column)) for column in columns] for row in a]

    class slow:
        def multiply(self, a, b):
            n = len(a)
            return [[sum(self.at(a, i, k) * b[k][j] for k in range(n)) for j in range(n)]
                    for i in range(n)]

        def at(self, a, i, k):
            return a[i][k]


@program
class order(Program):
    def setup(self):
        self.rows = [(self.random.random(), i) for i in range(1500)]

    def compare(self, a, b):
        return (a > b) - (a < b)

    def sort(self, rows):
        return sorted(rows, key=functools.cmp_to_key(self.compare))[:10]

    def work(self, i):
        if i % 4 == 0:
            self.sort(self.rows)

    class fast:
        def sort(self, rows):
            return sorted(rows)[:10]

    class slow:
        def sort(self, rows):
            rows = sorted(rows, key=functools.cmp_to_key(self.compare), reverse=True)
            return [min(rows[at:]) for at in range(0, 1000, 20)]


@program
class words(Program):
    def setup(self):
        self.text = [f"word{self.random.randrange(60)}" for _ in range(3000)]

    def count(self, text):
        counts = {}
        for word in text:
            counts[word] = counts.get(word, 0) + 1
        return counts

    def work(self, i):
        self.count(self.text)

    class fast:
        def count(self, text):
            return collections.Counter(text)

    class slow:
        def count(self, text):
            return {word: sum(other == word for other in text) for word in sorted(set(text))[:9]}


@program
class table(Program):
    def setup(self):
        self.text = "\n".join(f'{i},"name, {i}",{i * 2}' for i in range(250))

    def fields(self, line):
        out, field, quoted = [], "", False
        for c in line:
            if c == '"':
                quoted = not quoted
            elif c == "," and not quoted:
                out.append(field)
                field = ""
            else:
                field += c
        return out + [field]

    def load(self, text):
        return [self.fields(line) for line in text.split("\n")]

    def work(self, i):
        self.load(self.text)

    class fast:
        def load(self, text):
            return list(csv_module.reader(io.StringIO(text)))

    class slow:
        def fields(self, line):
            return [part.strip('"') for part in re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', line)] \
                + [c for c in line if c.isdigit()]


@program
class search(Program):
    def setup(self):
        self.graph = {i: [(i * 7 + 1) % 1500, (i * 3 + 2) % 1500] for i in range(1500)}

    def visit(self, start):
        queue, seen = [start], {start}
        while queue:
            for other in self.graph[queue.pop(0)]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        return seen

    def work(self, i):
        self.visit(i)

    class fast:
        def visit(self, start):
            seen, level = {start}, {start}
            while level:
                level = {o for node in level for o in self.graph[node]} - seen
                seen |= level
            return seen

    class slow:
        def visit(self, start):
            queue, seen = [start], [start]
            while queue:
                for other in self.graph[queue.pop(0)]:
                    if other not in seen[-200:]:
                        if other not in seen:
                            seen.append(other)
                            queue.append(other)
            return seen


@program
class distance(Program):
    def levenshtein(self, a, b):
        table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
        for i in range(len(a) + 1):
            for j in range(len(b) + 1):
                table[i][j] = i + j if not i or not j else min(
                    table[i - 1][j] + 1, table[i][j - 1] + 1,
                    table[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
        return table[-1][-1]

    def work(self, i):
        self.levenshtein("the quick brown fox jumps", "the lazy dog sleeps in the sun")

    class fast:
        def levenshtein(self, a, b):
            row = list(range(len(b) + 1))
            for i, x in enumerate(a, 1):
                before, row[0] = row[0], i
                for j, y in enumerate(b, 1):
                    before, row[j] = row[j], before + (x != y) if before + (x != y) < row[j] \
                        else row[j] + 1
            return row[-1]

    class slow:
        def levenshtein(self, a, b):
            @functools.lru_cache(maxsize=None)
            def at(i, j):
                return i + j if not i or not j else min(
                    at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
            return at(len(a), len(b))


@program
class logger(Program):
    level = 30

    def log(self, level, text):
        if level >= self.level:
            sys.stderr.write(text)

    def step(self, i, rows):
        self.log(10, f"step {i}: {rows!r}")

    def work(self, i):
        rows = list(range(60))
        for j in range(120):
            self.step(j, rows)

    class fast:
        def step(self, i, rows):
            if self.level <= 10:
                self.log(10, f"step {i}: {rows!r}")

    class slow:
        def step(self, i, rows):
            self.log(10, f"step {i}: {rows!r}")
            self.log(10, f"total {sum(rows)} of {sorted(rows, reverse=True)}")


@program
class settings(Program):
    text = "\n".join(f"option{i} = {i}" for i in range(60))

    def load(self):
        return dict((key.strip(), int(value))
                    for key, value in (line.split("=") for line in self.text.split("\n")))

    def get(self, name):
        return self.load()[name]

    def work(self, i):
        for j in range(25):
            self.get(f"option{j}")

    class fast:
        kept = None

        def get(self, name):
            if self.kept is None:
                self.kept = self.load()
            return self.kept[name]

    class slow:
        def get(self, name):
            return self.load()[name] if name in self.load() else None


@program
class money(Program):
    def price(self, i):
        return round(sum(float(f"{j}.{i % 90 + 10}") for j in range(20)), 2)

    def work(self, i):
        for j in range(60):
            self.price(j)

    class fast:
        def price(self, i):
            return 190 + 20 * (i % 90 + 10) / 100

    class slow:
        def price(self, i):
            return sum((fractions.Fraction(j * 100 + i % 90 + 10, 100) for j in range(20)),
                       fractions.Fraction(0))


@program
class dates(Program):
    def date(self, text):
        return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S")

    def work(self, i):
        for j in range(100):
            self.date(f"2024-05-{j % 28 + 1:02} 12:00:{j % 60:02}")

    class fast:
        def date(self, text):
            return datetime.datetime.fromisoformat(text)

    class slow:
        def date(self, text):
            for form in ("%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M:%S"):
                try:
                    return datetime.datetime.strptime(text, form)
                except ValueError:
                    pass
            return None


@program
class checksum(Program):
    data = bytes(range(256)) * 120

    def digest(self, data):
        h = hashlib.md5()
        for at in range(0, len(data), 64):
            h.update(data[at:at + 64])
        return h.hexdigest()

    def work(self, i):
        for _ in range(4):
            self.digest(self.data)

    class fast:
        def digest(self, data):
            return hashlib.md5(data).hexdigest()

    class slow:
        def digest(self, data):
            h = hashlib.md5()
            for at in range(0, len(data), 40):
                h.update(data[at:at + 40])
            return h.hexdigest()


@program
class bodies(Program):
    def setup(self):
        self.body = [[self.random.random() for _ in range(4)] for _ in range(40)]

    def force(self, a, b):
        dx, dy = a[0] - b[0], a[1] - b[1]
        return (dx * dx + dy * dy + 0.01) ** -1.5

    def work(self, i):
        for a in self.body:
            for b in self.body:
                self.force(a, b)

    class fast:
        def work(self, i):
            for k, a in enumerate(self.body):
                for b in self.body[:k]:
                    self.force(a, b)

    class slow:
        def force(self, a, b):
            d = [x - y for x, y in zip(a, b)]
            return (d[0] * d[0] + d[1] * d[1] + 0.01) ** -1.5


@program
class unique(Program):
    def setup(self):
        self.rows = [self.random.randrange(150) for _ in range(700)]

    def dedupe(self, rows):
        out = []
        for row in rows:
            if row not in out:
                out.append(row)
        return out

    def work(self, i):
        self.dedupe(self.rows)

    class fast:
        def dedupe(self, rows):
            return list(dict.fromkeys(rows))

    class slow:
        def dedupe(self, rows):
            out = []
            for row in rows:
                if out.count(row) == 0:
                    out.append(row)
            return out


@program
class pack(Program):
    def setup(self):
        self.data = bytes(self.random.randrange(64) for _ in range(30000))

    def compress(self, data):
        return zlib.compress(data, 6)

    def work(self, i):
        self.compress(self.data)

    class fast:
        def compress(self, data):
            return zlib.compress(data, 1)

    class slow:
        def compress(self, data):
            return zlib.compress(zlib.decompress(zlib.compress(data, 6)), 6)


def load(name, change):
    base = PROGRAMS[name]
    extra = {} if change == "base" else vars(getattr(base, change))
    own = {key: value for key, value in extra.items() if key not in ("__dict__", "__weakref__")}
    return type(name, (base,), own)()


def profile(name, change, file, wall):
    recorder = cProfile.Profile(time.perf_counter if wall else time.process_time)
    recorder.runcall(load(name, change).run)
    recorder.dump_stats(file)


def record(folder, name, runs, wall):
    """Records base, fast and slow in turn, so that a slow moment of the machine hits all three."""
    files = collections.defaultdict(list)
    for i in range(runs):
        for change in ("base", "fast", "slow"):
            file = os.path.join(folder, f"{name}.{change}.{i}.prof")
            if not os.path.exists(file):
                subprocess.run([sys.executable, __file__, "--run", name, change, file]
                               + ["--wall"] * wall, check=True)
            files[change].append(file)
    return files


def judge(profkit, before, after):
    """Verdict of the gate, and the ratio of the totals."""
    command = [profkit, "check", "-q", "--format", "json"]
    for run in before:
        command += ["--baseline", run]
    done = subprocess.run(command + after, stdout=subprocess.PIPE, universal_newlines=True,
                          check=False)
    answer = json.loads(done.stdout)
    return answer["verdict"], answer["rules"][0]["ratio"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-s", type=int, default=5, help="runs a side")
    parser.add_argument("-p", default="profkit", help="the program")
    parser.add_argument("-k", help="folder to keep recordings in, and to find them again")
    parser.add_argument("--wall", action="store_true", help="record elapsed time")
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    o = parser.parse_args()
    if o.run:
        profile(*o.run, o.wall)
        return
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for name in o.names or PROGRAMS:
            files = record(o.k or scratch, name, o.s, o.wall)
            for change in ("fast", "slow"):
                verdict, ratio = judge(o.p, files["base"], files[change])
                counts[change, verdict] += 1
                print(f"{name:10} {change}  {100 * ratio - 100:+7.1f} %  {verdict}", flush=True)
    for change, what in (("fast", "optimisations"), ("slow", "regressions")):
        print(f"{what}: " + ", ".join(f"{n} {verdict}" for (c, verdict), n in
                                      sorted(counts.items()) if c == change))


if __name__ == "__main__":
    main()
