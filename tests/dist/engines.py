#!/usr/bin/env python3
"""profkit.dask and profkit.spark: with real workers of Dask and Spark, where these are installed, the part
has the bytes of the one that one process makes, also where a worker is killed in the middle."""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
PROFKIT = os.path.realpath(os.environ["PROFKIT"])
os.environ["PROFKIT_BINARY"] = PROFKIT
os.environ["PYTHONPATH"] = os.path.join(ROOT, "python")
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
sys.path.insert(0, os.path.join(ROOT, "python"))
sys.dont_write_bytecode = True

if sys.version_info < (3, 9):
    print("skipped: the package is for Python 3.9 and later")
    sys.exit(77)

try:
    import dask.distributed as distributed
except ImportError:
    distributed = None
try:
    import pyspark.sql as spark_sql
except ImportError:
    spark_sql = None


def make_runs(folder):
    for run in range(12):
        with open(os.path.join(folder, f"run{run}.folded"), "w", encoding="utf-8") as file:
            for function in range(20):
                file.write(f"main;f{function % 7};g{function} {(run + 1) * function % 31 + 1}\n")
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder))
    whole = os.path.join(folder, "whole.db")
    subprocess.run([PROFKIT, "reduce", "-q", "-o", whole, *paths], check=True)
    with open(whole, "rb") as file:
        return paths, file.read()


def kill_once(path, mark, process):
    """Kills a process where a certain file is read, the first time."""
    if path.endswith("run7.folded") and not os.path.exists(mark):
        with open(mark, "w", encoding="utf-8"):
            pass
        os.kill(process, signal.SIGKILL)


class Engines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.paths, self.whole = make_runs(self.folder)

    def same(self, part):
        with open(part.paths[0], "rb") as file:
            self.assertEqual(file.read(), self.whole)

    def test_parts(self):
        from profkit import _parts, Error
        halves = [part for i in range(2) for part in _parts.reduce_files(self.paths[i::2], {})]
        self.same(_parts.as_profile(halves[::-1]))
        self.same(_parts.as_profile([_parts.merge_parts(halves[::-1])]))
        self.assertEqual(_parts.reduce_files([], {}), [])
        with self.assertRaises(Error):
            _parts.as_profile([])
        with self.assertRaises(Error):
            _parts.reduce_files([os.path.join(self.folder, "none.folded")], {})

    def test_groups(self):
        from profkit import _parts
        self.assertEqual([_parts.groups_of(files, 2) for files in (0, 1, 7, 64, 65, 10000)], [1, 1, 7, 8, 9, 1250])
        self.assertEqual(_parts.groups_of(10000, 1000), 4000)

    def test_contents(self):
        """What an engine read from elsewhere has the name of its path there."""
        from profkit import _parts
        pairs = []
        for path in self.paths:
            with open(path, "rb") as file:
                pairs.append(("hdfs://host:9000" + path, file.read()))
        pairs[1] = ("file:" + self.paths[1] + "/../" + os.path.basename(self.paths[1]), pairs[1][1])
        pairs[2] = ("../.." + self.paths[2], pairs[2][1])
        part = os.path.join(self.folder, "relative.db")
        subprocess.run([PROFKIT, "reduce", "-q", "-o", part, *(path[1:] for path in self.paths)], check=True, cwd="/")
        with open(part, "rb") as file:
            self.whole = file.read()
        self.same(_parts.as_profile(_parts.reduce_files(pairs, {})))

    @unittest.skipUnless(distributed, "no dask.distributed")
    def test_dask(self):
        import profkit.dask
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                      local_directory=self.folder) as cluster, \
                distributed.Client(cluster) as client:
            self.same(profkit.dask.reduce(self.paths, npartitions=5, split_every=1))
            mark = os.path.join(self.folder, "killed")

            def kill_one(path):
                kill_once(path, mark, os.getpid())
                return path

            from dask import bag
            killed = bag.from_sequence(self.paths, npartitions=5).map(kill_one)
            self.same(profkit.dask.reduce(killed, split_every=2))
            self.assertTrue(os.path.exists(mark))
            self.assertTrue(client.scheduler_info())

    @unittest.skipUnless(spark_sql, "no pyspark")
    def test_spark(self):
        """With two executors, one of which is killed while it reads."""
        import profkit.spark
        spark = spark_sql.SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false") \
            .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
        self.addCleanup(spark.stop)
        mark = os.path.join(self.folder, "killed")

        def kill_executor(path):
            # the worker's parent is a daemon of Python, whose parent is the executor
            with open(f"/proc/{os.getppid()}/stat", encoding="ascii") as file:
                kill_once(path, mark, int(file.read().rpartition(")")[2].split()[1]))
            return path

        self.same(profkit.spark.reduce(spark, self.paths, npartitions=5, split_every=1))
        killed = spark.sparkContext.parallelize(self.paths, 5).map(kill_executor)
        part = profkit.spark.reduce(spark, killed, split_every=2)
        self.assertTrue(os.path.exists(mark))
        self.same(part)
        read = profkit.spark.reduce(spark, spark.sparkContext.binaryFiles(self.folder + "/*.folded", 3))
        self.assertEqual([row.run_max for row in read.hotspots()], [row.run_max for row in part.hotspots()])
        totals = profkit.spark.frame(spark, part, "select total, total / 2.0 as half, null as none, 'x' as text from member_total")
        self.assertEqual((totals.count(), [kind for _, kind in totals.dtypes]), (12, ["bigint", "double", "string", "string"]))
        empty = profkit.spark.frame(spark, part, "select total from member_total where 0", "total bigint")
        self.assertEqual((empty.count(), empty.dtypes), (0, [("total", "bigint")]))


if __name__ == "__main__":
    unittest.main()
