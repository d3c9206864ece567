#!/usr/bin/env python3
"""A store of many small runs, for measurements.

    bench/gen_store.py PROFKIT RUNS STORE

profkit adds a hundred profiles of 50 functions; the others are copies of these, made by SQL, since a
process for each of 100,000 runs takes longer than what is to be measured.
"""
import os
import sqlite3
import subprocess
import sys
import tempfile

FIRST = 100


def write_profile(path, number):
    with open(path, "w") as f:
        for i in range(50):
            f.write("main;module_%d;function_%d_%d %d\n" % (
                i % 7, i, number % 40, 1 + (number * 7 + i * 13) % 100))


def copy_runs(db, have, count):
    """Appends copies of the first `count` of the runs that are there."""
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                        "AND name NOT LIKE 'sqlite_%'").fetchall()
    for table, in tables:
        columns = ['"%s"' % row[1] for row in db.execute("PRAGMA table_info(%s)" % table)]
        values = ["run + %d" % have if c == '"run"' else c for c in columns]
        db.execute('INSERT INTO %s(%s) SELECT %s FROM %s WHERE run <= %d' % (
            table, ", ".join(columns), ", ".join(values), table, count))


profkit, runs, store = os.path.realpath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with tempfile.TemporaryDirectory() as folder:
    paths = [os.path.join(folder, "run-%d.folded" % i) for i in range(min(FIRST, runs))]
    for number, path in enumerate(paths):
        write_profile(path, number)
    subprocess.run([profkit, "store", "add", "-q", store, *paths], check=True)
db = sqlite3.connect(store)
db.execute("PRAGMA journal_mode = OFF")
db.execute("PRAGMA synchronous = OFF")
have = len(paths)
while have < runs:
    more = min(have, runs - have)
    copy_runs(db, have, more)
    have += more
db.commit()
