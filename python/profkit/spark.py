"""Parts of many profiles with Spark: see profkit-scale(7).

    import profkit.spark
    p = profkit.spark.reduce(spark, paths)
    p.hotspots(limit=10)
    profkit.spark.frame(spark, p, "select * from member_total").show()

Executors need this package, and see the files under the same paths. An executor that dies changes
nothing: Spark does its work again, and the sum does not depend on the order.
"""
from typing import Any, Iterable, List, Optional

from ._parts import as_profile, merge_parts, reduce_files
from ._profile import Path, Profile


def reduce(spark: Any, paths: "Iterable[Path]", npartitions: Optional[int] = None, depth: int = 2,
           **options: Any) -> Profile:
    """The part of all files. npartitions is in how many groups files are read, depth that of the tree
    in which parts are added; other arguments are options of `profkit reduce`. A file that cannot
    be read is an Error on the executor, so an exception of Spark here."""
    files: List[Path] = list(paths)
    groups = npartitions or min(len(files), 100) or 1
    parts = spark.sparkContext.parallelize(files, groups).mapPartitions(
        lambda group: reduce_files(group, options))
    return as_profile(parts.treeReduce(lambda a, b: merge_parts([a, b]), depth))


def frame(spark: Any, part: Profile, sql: str) -> Any:
    """The rows of a statement of SQL as a DataFrame of Spark; profkit-store(5) has the tables."""
    rows = [row._asdict() if hasattr(row, "_asdict") else dict(row) for row in part.query(sql)]
    return spark.createDataFrame(rows)
