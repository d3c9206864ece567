#!/usr/bin/env python3
"""SIGKILL at a random moment while a store is made, added to, cleaned up or replaced: what was in it is in it,
SQLite finds nothing wrong, and the next run works and takes away what was left. KILLS is how many are killed.
"""
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PROFKIT = os.environ["PROFKIT"]
KILLS = int(os.environ.get("KILLS", "24"))
WORKERS = os.cpu_count() or 1
wrong = []
PLACES = {}


def profkit(folder, *args):
    run = subprocess.run([PROFKIT, *args], cwd=folder, capture_output=True)
    assert run.returncode == 0, (args, run.stderr)


def labels(store):
    """Those of its runs; () for a store that is not there."""
    if not store.exists():
        return ()
    db = sqlite3.connect(store)
    try:
        assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)], "quick_check"
        rows = db.execute("SELECT text, (SELECT sum(self) FROM cost c WHERE c.run = r.run) FROM run r "
                          "LEFT JOIN string s ON s.run = r.run AND s.id = r.label ORDER BY r.run").fetchall()
        assert all(total == TOTAL for _, total in rows), "half a run"
        return tuple(label for label, _ in rows)
    finally:
        db.close()


TOTAL = sum(range(1, 3001))
CASES = {  # what is killed, and what may be in the store then
    "make": (["store", "-q", "add", "new.db", "x.folded"], "new.db", [(), ("x.folded",)]),
    "add": (["store", "-q", "add", "runs.db", "x.folded"], "runs.db", [("a", "b"), ("a", "b", "x.folded")]),
    "remove": (["store", "-q", "remove", "runs.db", "a"], "runs.db", [("a", "b"), ("b",)]),
    "replace": (["convert", "-q", "x.folded", "-o", "runs.db"], "runs.db", [("a", "b"), (None,)]),
}


def prepare(folder):
    text = "".join(f"main;f{i % 97};g{i} {i}\n" for i in range(1, 3001))
    (folder / "x.folded").write_text(text)
    for label in "ab":
        profkit(folder, "store", "-q", "add", "--label", label, "runs.db", "x.folded")


def durations(folder):
    """How long each takes when it is left alone."""
    for name, (args, _, _) in CASES.items():
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(folder, copy, dirs_exist_ok=True)
            start = time.monotonic()
            profkit(copy, *args)
            PLACES[name] = time.monotonic() - start


def kill(folder, name, seed):
    """True if it was killed before its end."""
    args, target, allowed = CASES[name]
    with tempfile.TemporaryDirectory() as copy:
        copy = pathlib.Path(copy)
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        process = subprocess.Popen([PROFKIT, *args], cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.Random(seed).uniform(0, 1.2 * PLACES[name]))
        process.kill()
        killed = process.wait() != 0
        subprocess.run([PROFKIT, "store", "list", target], cwd=copy, capture_output=True)  # undoes what is half done
        found = labels(copy / target)
        assert found in allowed, found
        old = time.time() - 7200
        for path in copy.glob(".*.tmp"):
            os.utime(path, (old, old))
        profkit(copy, "store", "-q", "add", "--label", "next", target, "x.folded")
        assert labels(copy / target) == found + ("next",), "the next run"
        left = {p.name for p in copy.iterdir()} - {"x.folded", "runs.db", "new.db"}
        assert not left, f"left behind: {left}"
        return killed


def attempt(folder, name, seed):
    try:
        return kill(folder, name, seed)
    except (AssertionError, subprocess.SubprocessError, sqlite3.Error) as error:
        wrong.append(f"{name} {seed}: {error!r}")
        return True


def hang_up(folder, name, seed):
    """SIGHUP near the end of adding: its status says truthfully whether the run is there."""
    args, target, (before, after) = CASES[name]
    with tempfile.TemporaryDirectory() as copy:
        copy = pathlib.Path(copy)
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        process = subprocess.Popen([PROFKIT, *args], cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.Random(seed).uniform(0.8 * PLACES[name], 2 * PLACES[name]))
        process.send_signal(signal.SIGHUP)
        status, found = process.wait(), labels(copy / target)
        if (status, found) not in ((0, after), (-signal.SIGHUP, before)):
            wrong.append(f"SIGHUP {name} {seed}: status {status}, runs {found}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        prepare(folder)
        durations(folder)
        jobs = [(name, seed) for seed in range(-(-KILLS // len(CASES))) for name in CASES]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            killed = sum(pool.map(lambda job: attempt(folder, *job), jobs))
            list(pool.map(lambda seed: hang_up(folder, ("make", "add")[seed % 2], seed), range(6 * KILLS)))
    print("\n".join(wrong))
    print(f"{len(jobs)} runs, {killed} killed before their end, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not killed)


if __name__ == "__main__":
    main()
