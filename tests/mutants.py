#!/usr/bin/env python3
"""Changes one line of the sources at a time and runs the tests of make check that reach this line. A change that no
test notices is printed: either it makes no difference that could be tested, or a test is missing.

    make mutants                                      200 changes in src/model, src/analysis and src/writers
    make mutants MUTANTS='--count 20 --seed 2'        others, and fewer
    make mutants MUTANTS='--file src/model/totals.c'  in one file

A change replaces an operator or a constant, or leaves a statement out; not one that frees memory, which the sanitizers
find. Changes that do not compile, or give the same machine code, do not count. Which lines are chosen depends on the seed
and their text alone, so that most of the changes are the same in the next version. tests/mutants.equal lists changes that
were looked at and make no difference, each with the reason. The status is 1 if more than 5 % of the changes survive that
are not in this list.

It runs in a build folder and leaves the sources alone: a changed file is compiled elsewhere and linked before the
library. Which test reaches a line is found in a second build with gcov. What was found is kept in
mutants/ in the build folder, so that a run that was interrupted goes on where it was.
Tests wait for the disk, on which they sync files: with a folder in memory as mutants/ and /tmp, a run takes less time.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import struct
import subprocess
import sys
import tempfile
import threading

AREAS = ("src/model", "src/analysis", "src/writers")
MOST_SURVIVORS = 5  # in 100
BUILD = pathlib.Path.cwd()
SOURCE = pathlib.Path(os.environ.get("srcdir", ".")).resolve()
KEPT = BUILD / "mutants"
COMPILE, LINK = shlex.split(os.environ["COMPILE"]), shlex.split(os.environ["LINK"])
LIMITS = {resource.RLIMIT_AS: 8 << 30, resource.RLIMIT_FSIZE: 1 << 30, resource.RLIMIT_CORE: 0}
HANGS = 1800  # seconds after which a program that waits for ever is ended

OPERATORS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
             "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "+=": ["-="], "-=": ["+="], "*=": ["/="],
             "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "&=": ["|="], "|=": ["&="]}
BINARY = re.compile(r"(?<= )(%s)(?= |$)" % "|".join(sorted(map(re.escape, OPERATORS), key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?|\d+)(?=[uUlL]*(?![\w.]))")
NOT = re.compile(r"!(?=[\w(*])")
STATEMENT = re.compile(r"\s*(?!return|break|goto|case|default|else|if|for|while|do\b|const|static|struct|enum|union|va_)"
                       r"(\*?[\w>.\-\[\]() *+&]+( [-+*/|&]?= |\+\+|--|\().*|\+\+.*|--.*);$")
FREES = re.compile(r"(\b|_)(free|release|close)\w*\(")
DECLARATION = re.compile(r"\s*((unsigned|signed|long|bool|char|double|float|int|size_t|ssize_t|u?int\d+_t|FILE)\b)")


def code_of(line):
    """The line with texts and comments blanked."""
    line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', lambda m: "_" * len(m[0]), line)
    return re.sub(r"/\*.*?(\*/|$)|//.*", lambda m: " " * len(m[0]), line)


def changes_of(lines, number):
    """Every changed form of a line."""
    line, code = lines[number - 1], code_of(lines[number - 1])
    found = []
    if "__builtin_prefetch" in code:
        return found

    def put(match, text):
        found.append(line[:match.start()] + text + line[match.end():])

    for m in BINARY.finditer(code):
        for other in OPERATORS[m[1]]:
            put(m, other)
    for m in NUMBER.finditer(code):
        if "." in m[1]:
            put(m, str(float(m[1]) * 2 or 1.0))
        elif m[1] == "0" or m[1][0] != "0":  # no octal numbers
            value = int(m[1])
            for other in (value + 1, value - 1) if 0 < value <= 8 else (1,) if not value else (value * 2, value // 2):
                put(m, str(other))
    for m in NOT.finditer(code):
        put(m, "")
    for old, new in (("true", "false"), ("false", "true"), ("continue;", "break;"), ("++", "--")):
        for m in re.finditer(r"(?<!\w)" + re.escape(old) + r"(?!\w)", code):
            put(m, new)
    before = code_of(lines[number - 2]).strip() if number > 1 else ""
    starts = not before or before[-1] in ";{}:*)" or before.endswith("else")
    whole = code.rstrip()
    if starts and not FREES.search(whole) and (STATEMENT.match(whole) or whole.strip() == "break;") and not DECLARATION.match(whole) and \
            whole.count("(") == whole.count(")"):
        found.append(re.match(r"\s*", line)[0] + ";")
    return [f for f in dict.fromkeys(found) if f != line]


def limited(seconds):
    def limit():
        for which, most in LIMITS.items():
            resource.setrlimit(which, (most, resource.getrlimit(which)[1]))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    return limit


class Test:
    """A unit test, a script, or a case of the command line: `name` is its file without the suffix of a program."""

    def __init__(self, name):
        self.name = name
        self.cost = 0.0
        self.lines = {}

    def is_unit(self):
        return "/check_" in self.name

    def is_case(self):
        return self.name.startswith("tests/cli/") and self.name.endswith(".sh")

    def command(self, unit):
        if self.is_unit():
            return [str(unit)]
        if self.is_case():
            return ["bash", str(SOURCE / "tests/cli/run.sh"), self.name[len("tests/cli/"):]]
        suffix = pathlib.Path(self.name).suffix
        return [{".py": "python3"}.get(suffix, "bash"), str(SOURCE / self.name)]

    def passes(self, build, profkit, unit, seconds, **more):
        """Runs it. TAP says what failed in its text."""
        # Memory that was not written has another byte than 0.
        env = dict(os.environ, srcdir=str(SOURCE), PROFKIT=str(profkit), DOCGEN=str(build / "docgen"), MALLOC_PERTURB_="90", **more)
        process = subprocess.Popen(self.command(unit), env=env, cwd=build, stdin=subprocess.DEVNULL, text=True,
                                   errors="replace", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   preexec_fn=limited(seconds), start_new_session=True)
        timer = threading.Timer(HANGS, os.killpg, (process.pid, 9))
        timer.start()
        failed = False
        for line in process.stdout:
            if line.startswith("not ok"):
                failed = True
                os.killpg(process.pid, 9)
                break
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        self.used = usage.ru_utime + usage.ru_stime
        return not failed and process.returncode in (0, 77)

    def files(self):
        """What it depends on, but for the library."""
        if self.is_unit():
            return []
        path = SOURCE / self.name
        return path.parent.glob(path.stem + ".*") if self.is_case() else [path]

    def find_lines(self, coverage):
        """Runs it in the build with gcov, unless that was done since it changed; keeps the lines and the time."""
        kept = KEPT / "reach" / (self.name.replace("/", "-") + ".json")
        unit = coverage / self.name
        newest = max(p.stat().st_mtime for p in [coverage / "profkit", BUILD / "profkit", *([unit] if self.is_unit() else []), *self.files()])
        if kept.exists() and kept.stat().st_mtime > newest:
            self.cost, self.lines = json.loads(kept.read_text())
            return self
        with tempfile.TemporaryDirectory(dir=KEPT) as work:
            self.passes(coverage, coverage / "profkit", unit, 900, GCOV_PREFIX=work, COVERAGE="yes",
                        CK_TIMEOUT_MULTIPLIER="10")
            self.lines = lines_run(pathlib.Path(work), coverage)
            # What fails without a change tells nothing about changes.
            if not self.passes(BUILD, BUILD / "profkit", BUILD / self.name, 900):
                print(f"{self.name} fails without a change: not used", flush=True)
                self.lines = {}
            self.cost = self.used
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps([self.cost, self.lines]))
        return self


def may_have_run(path):
    """Whether there are counts in a file of counts. gcc 12 gives records whose counts are all 0 a length below 0."""
    data = path.read_bytes()
    if (data[7] - ord("A")) * 10 + data[6] - ord("0") < 12:
        return True
    at = 16
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        if tag == 0x01a10000 and length > 0:
            return True
        at += 8 + max(length, 0)
    return False


LINES = {}  # of a file of counts: what gcov said of the files in it


def lines_run(work, coverage):
    """What gcov says of the counts in `work`: {file: [[lines that ran], [lines that did not]]}."""
    data, found = [], {}
    for path in (p for area in AREAS for p in (pathlib.Path(f"{work}{coverage}") / area).rglob("*.gcda")):
        name = str(path.relative_to(f"{work}{coverage}").with_suffix(".c"))
        if name in LINES and not may_have_run(path):
            found[name] = [[], LINES[name]]
        else:
            data.append(path)
    for path in data:
        notes = coverage / path.relative_to(f"{work}{coverage}").with_suffix(".gcno")
        os.symlink(notes, path.with_suffix(".gcno"))
    for i in range(0, len(data), 50):
        out = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, data[i:i + 50])], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, cwd=work).stdout
        for text in out.splitlines():
            told = json.loads(text)
            for file in told["files"]:
                name = os.path.relpath(os.path.join(told["current_working_directory"], file["file"]), SOURCE)
                if not name.startswith(AREAS) or not name.endswith(".c"):
                    continue
                run, not_run = (sorted({line["line_number"] for line in file["lines"] if bool(line["count"]) == wanted})
                                for wanted in (True, False))
                found[name] = [run, not_run]
                LINES[name] = sorted(run + not_run)
    return found


class Change:
    def __init__(self, file, number, line, new):
        self.file, self.number, self.line, self.new = file, number, line, new

    def __str__(self):
        return f"{self.file}:{self.number}: {self.line.strip()}  =>  {self.new.strip()}"

    def equal_key(self):
        return " ".join(f"{self.file}: {self.line.strip()} => {self.new.strip()}".split())


def objects(folder, change, text):
    """The changed file compiled with the flags of the build, and None if it is not valid or nothing changed."""
    made = []
    for name, content in (("was", text), ("now", text[:change.number - 1] + [change.new] + text[change.number:])):
        path = folder / name / change.file
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(content))
        out = path.with_suffix(".o")
        run = subprocess.run([*COMPILE, "-g0", "-w", f"-I{BUILD}", f"-I{SOURCE}/src", f"-I{SOURCE}", "-iquote",
                              str((SOURCE / change.file).parent), "-c", change.file, "-o", str(out)],
                             cwd=folder / name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if run.returncode:
            if name == "was":
                sys.exit(run.stderr.decode())
            return None
        made.append(out)
    return None if made[0].read_bytes() == made[1].read_bytes() else made[1]


def link(out, *parts):
    subprocess.run([*COMPILE, "-o", str(out), *map(str, parts), *LINK], check=True, stderr=subprocess.DEVNULL)
    return out


def outcome(change, tests, equal):
    """"invalid", the name of the test that fails, "not reached" or "survived". One in the list is not tested."""
    text = (SOURCE / change.file).read_text().split("\n")
    with tempfile.TemporaryDirectory(dir=KEPT) as work:
        work = pathlib.Path(work)
        made = objects(work, change, text)
        if not made:
            return "invalid"
        reaching = [t for t in tests if change.number in t.lines.get(change.file, ((), ()))[0]]
        if not reaching:
            return "not reached"
        if change.equal_key() in equal:
            return "survived"
        try:
            profkit = link(work / "profkit", BUILD / "tools/profkit.o", made, BUILD / "libcommands.a", BUILD / "libprofkit.a")
            for test in sorted(reaching, key=lambda t: t.cost):
                unit = None
                if test.is_unit():
                    unit = link(work / "unit", BUILD / (test.name + ".o"), made, BUILD / "libprofkit.a")
                if not test.passes(BUILD, profkit, unit, int(3 + 3 * test.cost), TMPDIR=str(work)):
                    return test.name
        except subprocess.CalledProcessError:
            return "invalid"
    return "survived"


def chosen(options, tests):
    """Changes of each area in turn, by the seed."""
    lines = {}
    for test in tests:
        for file, (run, not_run) in test.lines.items():
            lines.setdefault(file, set()).update(run, not_run)
    areas = {area: [] for area in AREAS}
    for file in sorted(lines):
        text = (SOURCE / file).read_text().split("\n")
        seen = collections.Counter()
        for number in sorted(n for n in lines[file] if n <= len(text)):
            line = text[number - 1].strip()
            seen[line] += 1
            rank = hashlib.sha1(f"{options.seed} {file} {line} {seen[line]}".encode()).digest()
            areas[next(a for a in AREAS if file.startswith(a))].append((rank, file, number, text))
    for own in areas.values():
        own.sort(reverse=True)
    while any(areas.values()):
        for own in filter(None, areas.values()):
            rank, file, number, text = own.pop()
            changes = changes_of(text, number)
            if changes:
                yield Change(file, number, text[number - 1], changes[int.from_bytes(rank[:4], "big") % len(changes)])


class Results:
    """What was found for changes of files that are still the same: not for survivors, for there may be new tests."""

    def __init__(self):
        self.path = KEPT / "results.jsonl"
        self.known = dict(json.loads(line) for line in self.path.read_text().splitlines()) if self.path.exists() else {}
        self.lock = threading.Lock()

    def key(self, change):
        digest = hashlib.sha1((SOURCE / change.file).read_bytes()).hexdigest()[:12]
        return f"{digest} {change}"

    def get(self, change):
        found = self.known.get(self.key(change))
        return None if found in ("survived", "not reached") else found

    def put(self, change, result):
        with self.lock, open(self.path, "a") as file:
            file.write(json.dumps([self.key(change), result]) + "\n")


def equal_changes():
    path = SOURCE / "tests/mutants.equal"
    lines = path.read_text().splitlines() if path.exists() else []
    return {" ".join(line.split()) for line in lines if line.startswith("src/")}


def run_all(options, tests):
    results, equal = Results(), equal_changes()
    changes = chosen(options, tests)
    counts = {area: [0, 0, 0, 0] for area in AREAS}  # changes, survivors, of these equal, not reached
    survivors, running, taken = [], {}, 0

    def judge(change):
        found = results.get(change)
        if not found:
            found = outcome(change, tests, equal)
            results.put(change, found)
        return found

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while True:
            while taken + len(running) < options.count and len(running) < 2 * options.jobs:
                change = next(changes, None)
                if not change:
                    break
                running[pool.submit(judge, change)] = change
            if not running:
                break
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                change, result = running.pop(future), future.result()
                if result == "invalid":
                    continue
                taken += 1
                count = counts[next(a for a in AREAS if change.file.startswith(a))]
                count[0] += 1
                if result in ("survived", "not reached"):
                    known = change.equal_key() in equal
                    count[1] += 1
                    count[2] += known
                    count[3] += result == "not reached"
                    if not known:
                        survivors.append(f"{result}: {change}")
                print(f"{taken} {result}: {change}", flush=True)
    return counts, sorted(survivors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", help="a file or folder of src, instead of the three folders")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--coverage", type=pathlib.Path, required=True, help="the build folder with gcov")
    parser.add_argument("--tests", required=True, help="unit tests and scripts, separated by spaces")
    options = parser.parse_args()
    global AREAS
    if options.file:
        AREAS = (options.file,)
    KEPT.mkdir(exist_ok=True)
    names = [n for n in options.tests.split() if not n.startswith(("tests/cli-", "tests/house/"))]
    # Tests with objects of their own cannot be linked with another one.
    names = [n for n in names if n not in ("tests/readers/check_detect", "tests/base/check_json_portable")]
    names += sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / "tests/cli").glob("*/*.sh"))
    coverage = options.coverage.resolve()
    print(f"{len(names)} tests", flush=True)
    tests = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for test in pool.map(lambda name: Test(name).find_lines(coverage), names):
            tests.append(test)
            if len(tests) % 50 == 0:
                print(f"the lines of {len(tests)} tests are known", flush=True)
    counts, survivors = run_all(options, tests)
    print("\n" + "\n".join(survivors))
    print("%-14s %8s %10s %8s %12s" % ("folder", "changes", "survived", "equal", "not reached"))
    for area, count in counts.items():
        print("%-14s %8d %10d %8d %12d" % (area, *count))
    all_of = sum(c[0] for c in counts.values())
    print(f"{all_of} changes, {len(survivors)} survived that are not in tests/mutants.equal")
    sys.exit(not all_of or 100 * len(survivors) > MOST_SURVIVORS * all_of)


if __name__ == "__main__":
    main()
