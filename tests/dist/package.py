#!/usr/bin/env python3
"""The Python package in python/profkit with the program of this build: tables are what the command
line prints, pictures are whole and shut in, errors are profkit's."""
import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
PROFKIT = os.path.realpath(os.environ["PROFKIT"])
DATA = os.environ.get("TESTDATA", os.path.join(ROOT, "testdata"))
os.environ["PROFKIT_BINARY"] = PROFKIT
sys.path.insert(0, os.path.join(ROOT, "python"))
sys.dont_write_bytecode = True

if sys.version_info < (3, 9):
    print("skipped: the package is for Python 3.9 and later")
    sys.exit(77)

import profkit  # noqa: E402
from profkit import _binary  # noqa: E402

BEFORE, AFTER = (os.path.join(DATA, "example", name) for name in ("before.prof", "after.prof"))
LINES = os.path.join(DATA, "example", "orders.raw.txt")
RANKS = [os.path.join(DATA, "torch", f"rank{i}.json") for i in range(2)]
MEMORY = os.path.join(DATA, "mprof", "marked.dat")


def printed(*words):
    return subprocess.run([PROFKIT, *words], stdout=subprocess.PIPE, check=False).stdout


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def copy(self, name):
        path = os.path.join(os.fsencode(self.folder), name)
        shutil.copyfile(os.fsencode(BEFORE), path)
        return path


class Tables(unittest.TestCase):
    def check(self, table, *words, key="rows"):
        whole = json.loads(printed(*words, "--format", "json"))
        rows = whole.pop(key)
        self.assertTrue(rows)
        self.assertEqual([row._asdict() for row in table], rows)
        self.assertEqual(table.meta, whole)
        self.assertEqual([list(row) for row in table], [list(row.values()) for row in rows])

    def test_equal_the_command_line(self):
        p, ranks = profkit.load(BEFORE), profkit.load(*RANKS)
        self.check(p.hotspots(), "hotspots", BEFORE)
        self.check(p.hotspots(limit=3, sort="total", reverse=True), "hotspots", "-n3", "--sort=total", "-r", BEFORE)
        self.check(p.tree(min_share="1%"), "tree", "--min-share", "1%", BEFORE)
        self.check(p.callers("randrange"), "callers", "randrange", BEFORE)
        self.check(p.callers(), "callers", BEFORE)
        self.check(p.callees("parse"), "callees", "parse", BEFORE)
        self.check(p.diff(AFTER), "diff", BEFORE, AFTER)
        self.check(p.diff(profkit.load(AFTER), fail_on=None), "diff", BEFORE, AFTER)
        self.check(p.query("select * from function"), "query", BEFORE, "select * from function")
        self.check(profkit.load(LINES).lines(), "lines", LINES)
        self.check(profkit.load(LINES).lines("price_of"), "lines", LINES, "price_of")
        self.check(profkit.load(MEMORY).memory(), "memory", MEMORY)
        self.check(profkit.load(RANKS[0]).ops(by_shape=True), "ops", "--by-shape", RANKS[0])
        self.check(ranks.gpu(), "gpu", *RANKS)
        self.check(ranks.workers(), "workers", *RANKS, key="workers")
        self.check(ranks.workers(functions=True), "workers", "--functions", *RANKS)

    def test_equal_the_csv(self):
        table = profkit.load(BEFORE).hotspots()
        rows = list(csv.reader(io.StringIO(printed("hotspots", "--format", "csv", BEFORE).decode())))
        self.assertEqual(table.columns, rows[0])
        self.assertEqual([row.function for row in table], [row[0] for row in rows[1:]])
        self.assertEqual(table.column("self"), [int(row[rows[0].index("self")]) for row in rows[1:]])

    def test_sequence(self):
        table = profkit.load(MEMORY).memory()
        row = table[0]
        self.assertEqual((row.self, row["self"], row[table.columns.index("self")]), (61759489,) * 3)
        self.assertIsNone(row.count)  # a column, not the method of tuples
        self.assertEqual(list(table[1:3]), [table[1], table[2]])
        self.assertEqual(table[-1], list(table)[-1])
        self.assertRaises(IndexError, table.__getitem__, len(table))
        self.assertRaises(KeyError, row.__getitem__, "nothing")
        self.assertRaises(AttributeError, getattr, row, "nothing")
        self.assertRaises(KeyError, table.column, "nothing")
        self.assertTrue(table == profkit.load(MEMORY).memory())

    def test_rows_are_read_when_they_are_asked_for(self):
        """Each way to look at a new table gives what it gives after all rows were read."""
        p = profkit.load(BEFORE)
        whole = p.hotspots()
        rows = list(whole)
        for look in (len, repr, lambda t: t[0], lambda t: t[-1], lambda t: t[len(t) - 1], lambda t: t[3:7], lambda t: t[-3:],
                     lambda t: t[9:1:-2], lambda t: t[5:5], lambda t: t[10**6:], lambda t: t[::50], lambda t: t.meta,
                     lambda t: t.columns, lambda t: t.column("self"), lambda t: t._repr_html_(), lambda t: [t[0], len(t), t[2]]):
            self.assertEqual(look(p.hotspots()), look(whole))
        some = p.hotspots()
        self.assertEqual([some[i] for i in range(len(some))], rows)
        self.assertIsNone(some._parsed)
        self.assertRaises(IndexError, some.__getitem__, -len(some) - 1)
        broken = p.query("select char(10) || '},' || char(10) || '    {' as text union all select 'b'")  # newlines in texts
        self.assertEqual((len(broken), broken[0].text, broken[1].text), (2, "\n},\n    {", "b"))

    def test_names_of_sql(self):
        p = profkit.load(BEFORE)
        self.assertEqual(p.query('select 1 as "a b", 2 as "class", 3 as "_asdict"')[0]._asdict(),
                         {"a b": 1, "class": 2, "_asdict": 3})
        empty = p.query("select 1 as a where 0")
        self.assertEqual((len(empty), empty.columns, list(empty)), (0, [], []))
        self.assertIn("<table>", empty._repr_html_())

    def test_html_is_escaped(self):
        text = profkit.load(BEFORE).query("select '<script>alert(1)</script>' as \"<b>\"")._repr_html_()
        self.assertNotIn("<script>", text)
        self.assertNotIn("<b>", text)
        self.assertIn("&lt;script&gt;", text)

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        table = profkit.load(BEFORE).hotspots()
        frames = [table._to_pandas_slowly(pandas), table.to_pandas()]
        for frame in frames:
            self.assertEqual(list(frame.columns), table.columns)
            self.assertEqual(list(frame["self"]), table.column("self"))
            self.assertEqual(list(frame["function"]), table.column("function"))
            self.assertEqual([None if pandas.isna(n) else int(n) for n in frame["line"]], table.column("line"))
            self.assertEqual(str(frame["self"].dtype), "int64")
            self.assertEqual(str(frame["line"].dtype), "Int64")
        sql = "select 1 as a, '2026-01-02' as b, null as c union all select 2, null, null"
        frame = profkit.load(BEFORE).query(sql).to_pandas()
        self.assertEqual((list(frame["a"]), frame["b"][0]), ([1, 2], "2026-01-02"))

    def test_arrow(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("no pyarrow")
        for table in (profkit.load(BEFORE).tree(), profkit.load(*RANKS).workers()):
            self.assertEqual(table.to_arrow().to_pylist(), [row._asdict() for row in table])


class Sources(Folder):
    def test_names_of_files(self):
        for name in (b"a b.prof", b"a\nb.prof", b"-n.prof", b"a@b.prof", b"a=4.prof", b"\xff\xe9.prof", "é.prof".encode()):
            path = self.copy(name)
            for source in (path.decode("utf-8", "surrogateescape"),):
                self.assertEqual(len(profkit.load(source).hotspots()), 213, name)
        here = os.getcwd()
        try:
            os.chdir(self.folder)
            self.assertEqual(len(profkit.load("-n.prof").hotspots()), 213)
        finally:
            os.chdir(here)

    def test_bytes(self):
        with open(BEFORE, "rb") as file:
            p = profkit.load(file.read())
        self.assertEqual(p.hotspots(), profkit.load(BEFORE).hotspots())
        folder = os.path.dirname(p.paths[0])
        self.assertTrue(os.path.isdir(folder))
        del p
        self.assertFalse(os.path.exists(folder))

    def test_profilers(self):
        import cProfile
        import pstats
        profiler = cProfile.Profile()
        profiler.runcall(sorted, range(9), key=str)
        for source in (profiler, pstats.Stats(profiler)):
            self.assertEqual([row.calls for row in profkit.load(source).hotspots() if "sorted" in row.function], [1])
        self.assertRaises(TypeError, profkit.load, 1)

    def test_pyinstrument(self):
        try:
            import pyinstrument
        except ImportError:
            self.skipTest("no pyinstrument")
        with pyinstrument.Profiler(interval=0.0001) as profiler:
            sum(i * i for i in range(300000))
        self.assertTrue(len(profkit.load(profiler).hotspots()))
        self.assertEqual(profkit.load(profiler).hotspots(), profkit.load(profiler.last_session).hotspots())

    def test_run_of_a_store(self):
        store = os.path.join(self.folder, "runs.db")
        printed("store", "add", store, BEFORE, "--label", "one")
        if os.path.exists(store):
            self.assertTrue(len(profkit.load(store + "@1").hotspots()))

    def test_convert(self):
        path = os.path.join(self.folder, "x.folded")
        self.assertTrue(any("folded does not keep" in note for note in profkit.load(BEFORE).convert(path)))
        with open(path, "rb") as file:
            self.assertEqual(file.read(), printed("convert", "--to", "folded", BEFORE))


class Errors(Folder):
    def test_what_profkit_says(self):
        with self.assertRaisesRegex(profkit.Error, "No such file"):
            profkit.load("no such file")
        with self.assertRaisesRegex(profkit.Error, "not a profile in any format") as caught:
            profkit.load(b"nothing").hotspots()
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(profkit.Error, "unknown option '--nothing'"):
            profkit.load(BEFORE).hotspots(nothing=1)
        with self.assertRaisesRegex(profkit.Error, "syntax error"):
            profkit.load(BEFORE).query("select from")
        with self.assertRaises(profkit.Error):
            profkit.load(BEFORE).hotspots(format="csv")

    def test_words_with_dashes(self):
        p, path = profkit.load(BEFORE), os.path.join(self.folder, "x")
        self.assertEqual(p.query("-- a comment\nselect 1 as a")[0].a, 1)
        with self.assertRaisesRegex(profkit.Error, "query printed nothing"):
            p.query("--output=" + path)
        for command in (p.callers, p.callees, p.lines):
            with self.assertRaisesRegex(profkit.Error, "begins with a dash"):
                command("--output=" + path)
        with self.assertRaisesRegex(profkit.Error, "format, like and output"):
            p.hotspots(output=path)
        self.assertFalse(os.path.exists(path))

    def find(self, script, status=0o755):
        path = os.path.join(self.folder, "profkit")
        with open(path, "w", encoding="ascii") as file:
            file.write(script)
        os.chmod(path, status)
        with self.assertRaises(profkit.Error) as caught:
            self.find_at(path)
        return str(caught.exception)

    def find_at(self, path):
        os.environ["PROFKIT_BINARY"] = path
        try:
            _binary.find_binary()
        finally:
            os.environ["PROFKIT_BINARY"] = PROFKIT

    def test_programs(self):
        self.assertIn("is profkit 0.0.1", self.find("#!/bin/sh\necho profkit 0.0.1\n"))
        self.assertIn("is another program", self.find("#!/bin/sh\necho hello\n"))
        self.assertIn("cannot be started", self.find("#!/bin/sh\n", 0o644))
        for path in ("nothing", self.folder):
            with self.assertRaisesRegex(profkit.Error, "cannot be started"):
                self.find_at(path)
        saved = os.environ["PATH"], _binary._places
        del os.environ["PROFKIT_BINARY"]
        _binary._places = lambda: [self.folder + "/nowhere"]
        try:
            with self.assertRaisesRegex(profkit.Error, "is not where this package is installed"):
                _binary.find_binary()
        finally:
            os.environ["PATH"], _binary._places = saved
            os.environ["PROFKIT_BINARY"] = PROFKIT

    def test_signal(self):
        path = os.path.join(self.folder, "profkit")
        with open(path, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\n[ "$1" = --version ] && exec {PROFKIT} "$@"\nkill -9 $$\n')
        os.chmod(path, 0o755)
        os.environ["PROFKIT_BINARY"] = path
        try:
            with self.assertRaisesRegex(profkit.Error, "ended by signal 9"):
                profkit.load(BEFORE).hotspots()
        finally:
            os.environ["PROFKIT_BINARY"] = PROFKIT


class Pictures(Folder):
    def test_equal_the_command_line(self):
        p = profkit.load(BEFORE)
        self.assertEqual(p.flamegraph(title="T").data.encode(), printed("flamegraph", "--title=T", BEFORE))
        self.assertEqual(p.report().data.encode(), printed("report", BEFORE))
        with open(BEFORE, "rb") as file:
            page = profkit.load(file.read()).report(baseline=os.path.relpath(BEFORE)).data
        self.assertIn("bytes", page)
        self.assertNotIn(tempfile.gettempdir() + "/profkit-", page)  # the folder that the bytes were written to
        self.assertEqual(profkit.load(RANKS[0]).timeline().data.encode(), printed("timeline", RANKS[0]))
        self.assertTrue(p.callgraph(limit=5).data.rstrip().endswith("</svg>"))

    def test_frame(self):
        for picture in (profkit.load(BEFORE).flamegraph(), profkit.load(BEFORE).report(height=123)):
            frame = picture._repr_html_()
            self.assertRegex(frame, r'^<iframe sandbox="allow-scripts" ')
            self.assertEqual(html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]), picture.html)
            self.assertIn("before.prof", frame[frame.index("</iframe>"):])
        self.assertIn("height:123px", frame)

    def test_save(self):
        path = os.path.join(self.folder, "x.svg")
        profkit.load(BEFORE).flamegraph().save(path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), printed("flamegraph", BEFORE))


class Recordings(unittest.TestCase):
    def test_block(self):
        with profkit.profile() as p:
            sorted(range(9), key=str)
            with self.assertRaisesRegex(profkit.Error, "not at its end"):
                p.hotspots()
        self.assertTrue(any("sorted" in row.function for row in p.hotspots()))
        with self.assertRaisesRegex(profkit.Error, "nothing was recorded"):
            profkit.profile().hotspots()

    def test_function(self):
        @profkit.profile
        def down(n):
            """What it does."""
            return down(n - 1) + len(str(n)) if n else 0

        self.assertEqual((down(3), down.__name__, down.__doc__), (3, "down", "What it does."))
        calls = [row.calls for row in down.profile.hotspots() if "len" in row.function]
        down(2)
        again = [row.calls for row in down.profile.hotspots() if "len" in row.function]
        self.assertEqual((calls, again), ([3], [5]))

    def test_error_in_block(self):
        with self.assertRaises(ZeroDivisionError):
            with profkit.profile() as p:
                max(1, 2)
                raise ZeroDivisionError
        self.assertTrue(any("max" in row.function for row in p.hotspots()))


class Magics(unittest.TestCase):
    def test_split(self):
        from profkit._magics import split
        self.assertEqual(split("sum(x)  + 1"), ("", [], "sum(x)  + 1"))
        self.assertEqual(split("tree --limit=5 -n3 a -b"), ("tree", ["--limit=5", "-n3"], "a -b"))
        self.assertEqual(split("-5 + x"), ("", ["-5"], "+ x"))

    def test_in_ipython(self):
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("no IPython")
        shell = InteractiveShell.instance()
        shell.run_line_magic("load_ext", "profkit")
        shell.user_ns["words"] = ["b", "a"]
        table = shell.run_line_magic("profkit", "--limit=1 --sort=calls sorted(words, key=str.lower)")
        self.assertEqual(len(table), 1)
        self.assertEqual(len(shell.run_line_magic("profkit", "-n2 " + BEFORE)), 2)
        picture = shell.run_cell_magic("profkit", "flamegraph", "made = sorted(words)\nprint(len(made))")
        self.assertIn("<svg", picture.data)
        self.assertEqual(shell.user_ns["made"], ["a", "b"])


class Import(unittest.TestCase):
    def test_takes_nothing(self):
        code = ("import sys; before = set(sys.modules); import profkit; "
                "print(sorted(name for name in set(sys.modules) - before))")
        said = subprocess.run([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, check=True,
                              env=dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"))).stdout.decode()
        self.assertEqual(said.strip(), "['profkit']")
        self.assertEqual(sorted(profkit.__all__), sorted(set(profkit.__all__) & set(dir(profkit))))


if __name__ == "__main__":
    unittest.main(verbosity=1)
