#!/usr/bin/env python3
"""One call of write, fsync, rename, read or malloc fails (tests/hostile/fault_preload.c), the first, the second and
so on, while every writer writes, a store is added to and a query is asked: the output is whole, or what it was
before, with status 2 and a message; nothing temporary is left. The same after SIGKILL, but for files that the
next run takes away; SIGTERM, SIGINT and SIGHUP leave nothing. Some of it again in the sandbox,
where another process opens and renames. FAULT_PLACES is how many calls of each
kind are tried, spread evenly; of pictures, which are 16,000 allocations of Graphviz's, MOST_OF_PICTURES.
"""
import concurrent.futures
import errno
import itertools
import os
import pathlib
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PROFKIT = os.environ["PROFKIT"]
TESTDATA = pathlib.Path(os.environ["TESTDATA"])
PLACES = int(os.environ.get("FAULT_PLACES", "4"))
MOST_OF_PICTURES = 300 if PLACES > 10 else 2
hung = []  # known: what GLib never came back from, until SIGTERM ended it and left nothing
PREVIOUS = b"what was there before\n"
TRACE, TORCH, PROF = "in/samples.json", "in/torch.json", "in/a.prof"
# What fails and how; True: it must go well all the same.
FAULTS = [("write", errno.ENOSPC, False), ("write", errno.EIO, False), ("write", errno.EDQUOT, False),
          ("write", errno.EPIPE, False), ("write", errno.EINTR, True), ("write", "short", True), ("sync", errno.EIO, False), ("rename", errno.EACCES, False),
          ("read", errno.EIO, False), ("read", errno.EINTR, True), ("read", "short", True),
          ("poll", errno.EINTR, True), ("ask", errno.ENOMEM, False), ("answer", errno.ENOMEM, False),
          ("malloc", errno.ENOMEM, False)]
if PLACES <= 10:
    FAULTS.remove(("write", errno.EDQUOT, False))  # which profkit and SQLite do not tell from EIO
if "COVERAGE" in os.environ:
    FAULTS.pop()  # gcov crashes without memory when it writes its counts at the end
ALWAYS = [("write", "bytes"), ("write", "often"), ("read", "bytes"), ("read", "often"), ("sync", "often"), ("poll", "often")]
ENDS = ["signal 9", "signal 15", "signal 2", "signal 1"][:None if PLACES > 10 else 2]
PICTURES = {"svg": b"</svg>\n", "pdf": b"%%EOF\n", "png": b"IEND\xaeB`\x82"}  # and their ends


WRITERS = ["chrome", "csv", "dot", "flamegraph", "folded", "json", "markdown", "profkit-baseline", "pstats", "py-spy", "speedscope",
           "store", "timeline", "torch-stacks"]


def processor_time(pid):
    """What a process that waits, and those that it started, have used; None while one has work to do."""
    used = 0
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            state, *rest = (task / "stat").read_text().rpartition(")")[2].split()
            if state != "S":
                return None
            used += int(rest[10]) + int(rest[11])
            for child in (task / "children").read_text().split():
                of_child = processor_time(child)
                if of_child is None:
                    return None
                used += of_child
    except OSError:
        return None  # it ended in the meantime
    return used


def scenarios():
    """(name, arguments, the file that is written or None)"""
    for writer in WRITERS:
        source = TORCH if writer == "torch-stacks" else PROF if writer in ("pstats", "dot") else TRACE
        yield writer, ["convert", "-q", "--to", writer, source, "--force", "-o", "out"], "out"
    for packed in "gz", "zst":
        yield packed, ["convert", "-q", "--to", "folded", f"in/samples.json.{packed}", "-o", f"out.{packed}"], f"out.{packed}"
    for picture in PICTURES:
        yield picture, ["callgraph", "-q", "-n", "5", PROF, "--force", "-o", f"out.{picture}"], f"out.{picture}"
    yield "threads", ["convert", "-q", "-j", "2", "--to", "folded", "in/large.folded", "-o", "out"], "out"
    yield "query", ["query", "-q", TRACE, "SELECT * FROM function_total", "-o", "out"], "out"
    yield "query-store", ["query", "-q", "in/runs.db", "SELECT * FROM function_total", "-o", "out"], "out"
    yield "hotspots", ["hotspots", "-q", PROF], None
    yield "store-add", ["store", "-q", "add", "runs.db", PROF], "runs.db"
    yield "store-remove", ["store", "-q", "remove", "runs.db", "1"], "runs.db"
    yield "store-new", ["store", "-q", "add", "new.db", PROF], "new.db"


def sandboxed():
    yield from (s for s in scenarios() if s[0] in ("json", "gz", "threads", "query", "store", "store-add", "store-remove"))


class Scenario:
    def __init__(self, inputs, name, args, target, sandbox="no"):
        self.inputs, self.name, self.args, self.target, self.sandbox = inputs, name, args, target, sandbox
        with tempfile.TemporaryDirectory() as folder:
            run = self.run(folder, {})
            assert run.returncode == 0, (name, run.stderr)
            self.printed = run.stdout
            self.before = self.content(self.previous())
            self.after = self.content(self.read(folder))
            self.files = set(os.listdir(folder))

    def previous(self):
        if self.target == "runs.db":
            return (self.inputs / "runs.db").read_bytes()
        return PREVIOUS if self.target and self.target != "new.db" else None

    def read(self, folder):
        path = pathlib.Path(folder, self.target or "none")
        return path.read_bytes() if path.exists() else None

    def content(self, data):
        """Stores that are changed by transactions are compared by their runs; a PDF has a date."""
        if self.name == "pdf" and data and data.startswith(b"%PDF-") and data.endswith(PICTURES["pdf"]):
            return "a PDF"
        if self.target not in ("runs.db", "new.db") or data is None:
            return data
        with tempfile.NamedTemporaryFile(suffix=".db") as file:
            file.write(data)
            file.flush()
            db = sqlite3.connect(file.name)
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "damaged store"
            rows = [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("run", "node", "string")]
            db.close()
            return rows

    def prepare(self, folder):
        data = self.previous()
        if not pathlib.Path(folder, "in").exists():
            os.symlink(self.inputs, pathlib.Path(folder, "in"))
            if data is not None:
                pathlib.Path(folder, self.target).write_bytes(data)

    def run(self, folder, fault):
        self.prepare(folder)
        env = dict(os.environ, PROFKIT_SANDBOX=self.sandbox, **fault)
        if fault:
            env["LD_PRELOAD"] = PRELOAD
        process = subprocess.Popen([PROFKIT, *self.args], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        used, idle = None, 0
        while True:
            try:
                out, err = process.communicate(timeout=0.5)
                break
            except subprocess.TimeoutExpired:
                before, used = used, processor_time(process.pid)
                idle = idle + 1 if used is not None and used == before else 0
                if idle == 20:
                    process.terminate()
                    out, err = process.communicate()
                    err += b" (waits for ever)"
                    break
        return subprocess.CompletedProcess(self.args, process.returncode, out, err)

    def calls(self, call):
        with tempfile.TemporaryDirectory() as folder:
            count = pathlib.Path(self.inputs).parent / f"count-{self.name}"
            run = self.run(folder, {"FAULT_CALL": call, "FAULT_COUNT": str(count)})
            assert run.returncode == 0, (self.name, run.stderr)
            return int(count.read_text())

    def settle(self, folder):
        """A half-written transaction is undone by whoever opens the store next."""
        if pathlib.Path(folder, "runs.db").exists() or pathlib.Path(folder, "new.db").exists():
            subprocess.run([PROFKIT, "store", "list", self.target], cwd=folder, capture_output=True, check=True)

    def problem(self, call, at, how, fine):
        with tempfile.TemporaryDirectory() as folder:
            run = self.run(folder, {"FAULT_CALL": call, "FAULT_AT": str(at), "FAULT_HOW": str(how)})
            if str(how).startswith("signal"):
                return self.killed(folder, run, int(how.split()[1]))
            if self.name in PICTURES and call == "malloc" and run.returncode == -signal.SIGTERM:
                # GLib asks for memory to say that there is none, and waits for itself.
                hung.append(f"{self.name}: malloc {at}")
                return self.left(folder, "") if self.content(self.read(folder)) == self.before else "half-written"
            if run.returncode == 0:
                if not self.is_whole(self.read(folder), call) or run.stdout != self.printed:
                    return "status 0, but not the output"
            elif fine or run.returncode != 2 or not self.has_message(run.stderr):
                return f"status {run.returncode}: {run.stderr[-300:]!r}"
            self.settle(folder)
            if run.returncode and self.content(self.read(folder)) not in (self.before, self.after):
                return "what was there before is gone"
            if run.returncode and self.target in ("runs.db", "new.db"):
                return self.again(folder)  # SQLite may leave a journal, and takes it away
            return self.left(folder, "")

    def has_message(self, text):
        """The process that draws, and Graphviz in it, write to standard error, too."""
        return text.endswith(b"\n") and (b"profkit: " in text if self.name in PICTURES else text.startswith(b"profkit: "))

    def is_whole(self, data, call):
        """Fonts that could not be looked at are others, but a picture is whole."""
        if self.name in PICTURES and call in ("malloc", "read"):
            return data.endswith(PICTURES[self.name])
        return self.content(data) == self.after

    def left(self, folder, by):
        left = set(os.listdir(folder)) - self.files
        return f"left behind{by}: {left}" if left else None

    def killed(self, folder, run, number):
        # The process that was killed may be that of the sandbox or the one that draws.
        if run.returncode != -number and not ((self.sandbox == "yes" or self.name in PICTURES) and run.returncode == 2):
            return None if run.returncode == 0 else f"status {run.returncode}"
        if number != signal.SIGKILL and not self.target.endswith(".db") and self.left(folder, ""):
            return self.left(folder, " by a signal")
        if self.name == "store-add" and number == signal.SIGKILL and not self.replaces(folder):
            return "a store that replaces the half-written one is not what was written"
        old = time.time() - 7200
        for path in pathlib.Path(folder).glob(".*.tmp*"):
            os.utime(path, (old, old))
        self.settle(folder)
        if self.content(self.read(folder)) not in (self.before, self.after):
            return "half-written"
        return self.again(folder)

    def replaces(self, folder):
        """The journal of what was half written is not taken for one of a new store."""
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(folder, copy, symlinks=True, dirs_exist_ok=True)
            for target in "runs.db", "other.db":
                subprocess.run([PROFKIT, "convert", "-q", PROF, "-o", target], cwd=copy, check=True, capture_output=True)
            stores = [self.content(pathlib.Path(copy, name).read_bytes()) for name in ("runs.db", "other.db")]
            return stores[0] == stores[1] and not pathlib.Path(copy, "runs.db-journal").exists()

    def again(self, folder):
        """What the next run makes of it."""
        if self.content(self.read(folder)) == self.after and self.target.endswith(".db"):
            return None
        again = self.run(folder, {})
        if again.returncode or self.content(self.read(folder)) != self.after:
            return f"the next run: status {again.returncode}, {again.stderr!r}"
        return self.left(folder, " by the next run")


def make_inputs(folder):
    for source, name in [("chrome/samples.json", TRACE), ("torch/stacks.json", TORCH), ("pstats/names.prof", PROF)]:
        (folder.parent / name).write_bytes((TESTDATA / source).read_bytes())
    (folder / "large.folded").write_text("".join(f"main;f{i % 997};g{i} {i}\n" for i in range(200000)))
    for packed in "gz", "zst":
        subprocess.run([PROFKIT, "convert", "-q", "--to", "chrome", TRACE, f"{TRACE}.{packed}"], cwd=folder.parent, check=True)
    subprocess.run([PROFKIT, "store", "-q", "add", "in/runs.db", TRACE], cwd=folder.parent, check=True)


def places(count, most):
    step = max(1, -(-count // most))
    return range(1, count + 1, step)


def cases_of(one):
    most = min(PLACES, MOST_OF_PICTURES) if one.name in PICTURES else PLACES
    counts = {call: one.calls(call) for call in ("write", "sync", "rename", "read", "poll", "malloc", "ask")}
    counts["answer"] = counts["ask"]
    counts["rename"] |= one.sandbox == "yes"  # in the other process, which does not count
    cases = [(one, call, at, how, fine) for call, how, fine in FAULTS for at in places(counts[call], 20 if call in ("ask", "answer") else most)
             if how != errno.EPIPE or one.target]  # who closes a pipe has read enough
    # SQLite gives up where syncing is interrupted.
    cases += [(one, call, 0, how, call != "sync" or one.target != "runs.db") for call, how in ALWAYS[:None if PLACES > 10 else 4] if counts[call]]
    if one.target:
        cases += [(one, call, at, how, False) for call in ("write", "sync", "rename") for how in ENDS
                  for at in places(counts[call], most if how == ENDS[0] else min(most, 50))]
    return cases


def main():
    if os.environ.get("SANITIZE"):
        print("skipped: sanitizers have a malloc of their own")
        sys.exit(77)
    global PRELOAD
    wrong, injected = [], {}
    only = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        PRELOAD = str(root / "fault.so")
        words = shlex.split(os.environ.get("COMPILE", "cc"))
        compiler = itertools.takewhile(lambda word: word[0] != "-", words)  # there may be a ccache before it
        subprocess.run([*compiler, "-D_GNU_SOURCE", "-O1", "-fPIC", "-shared", "-o", PRELOAD,
                        pathlib.Path(__file__).with_name("fault_preload.c"), "-ldl"], check=True)
        (root / "in").mkdir()
        make_inputs(root / "in")
        cases = []
        has_sandbox = b"Sandbox: by default" in subprocess.run([PROFKIT, "--version"], capture_output=True).stdout and \
            subprocess.run([PROFKIT, "info", "--sandbox", root / TRACE], capture_output=True).returncode == 0
        print("with" if has_sandbox else "without", "a sandbox")
        planned = [Scenario(root / "in", *s) for s in scenarios() if not only or s[0] in only]
        planned += [Scenario(root / "in", *s, "yes") for s in sandboxed() if has_sandbox and (not only or s[0] in only)]
        for one in planned:
            cases += cases_of(one)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, problem in zip(cases, pool.map(lambda c: attempt(*c), cases)):
                one, call, at, how, fine = case
                injected[f"{call} {how if isinstance(how, str) else errno.errorcode[how]}"] = \
                    injected.get(f"{call} {how if isinstance(how, str) else errno.errorcode[how]}", 0) + 1
                if problem:
                    wrong.append(f"{one.name}{', sandbox' * (one.sandbox == 'yes')}: {call} {at} {how}: {problem}")
    if len(hung) > len(cases) // 100:
        wrong += hung
    print("\n".join(wrong))
    print(", ".join(f"{count} {what}" for what, count in injected.items()))
    if hung:
        print(f"{len(hung)} ended by SIGTERM, in GLib: {', '.join(hung)}")
    print(f"{len(cases)} faults, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not cases)


def attempt(one, call, at, how, fine):
    try:
        return one.problem(call, at, how, fine)
    except (AssertionError, subprocess.SubprocessError, sqlite3.Error) as error:
        return repr(error)


if __name__ == "__main__":
    main()
