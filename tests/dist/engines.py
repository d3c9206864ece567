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
        self.same(_parts.as_profile(_parts.merge_parts(halves[::-1])))
        self.assertEqual(_parts.reduce_files([], {}), [])
        with self.assertRaises(Error):
            _parts.merge_parts([])
        with self.assertRaises(Error):
            _parts.reduce_files([os.path.join(self.folder, "none.folded")], {})

    @unittest.skipUnless(distributed, "no dask.distributed")
    def test_dask(self):
        import profkit.dask
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                      local_directory=self.folder) as cluster, \
                distributed.Client(cluster) as client:
            self.same(profkit.dask.reduce(self.paths, npartitions=5, split_every=2))
            mark = os.path.join(self.folder, "killed")

            def kill_one(path):
                if path.endswith("run7.folded") and not os.path.exists(mark):
                    with open(mark, "w", encoding="utf-8"):
                        pass
                    os.kill(os.getpid(), signal.SIGKILL)
                return path

            from dask import bag
            killed = bag.from_sequence(self.paths, npartitions=5).map(kill_one)
            self.same(profkit.dask.reduce(killed, split_every=2))
            self.assertTrue(os.path.exists(mark))
            self.assertTrue(client.scheduler_info())

    @unittest.skipUnless(spark_sql, "no pyspark")
    def test_spark(self):
        import profkit.spark
        spark = spark_sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false") \
            .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        self.addCleanup(spark.stop)
        part = profkit.spark.reduce(spark, self.paths, npartitions=5)
        self.same(part)
        self.assertEqual(profkit.spark.frame(spark, part, "select total from member_total").count(), 12)


if __name__ == "__main__":
    unittest.main()
