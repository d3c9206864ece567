"""Parts of many profiles with Spark: see profkit-scale(7).

    import profkit.spark
    p = profkit.spark.reduce(spark, paths)
    p.hotspots(limit=10)
    profkit.spark.frame(spark, p, "select * from member_total").show()

Executors need this package, and see the files under the same paths; else Spark reads them:

    profkit.spark.reduce(spark, spark.sparkContext.binaryFiles("hdfs:///runs", 64))

An executor that dies changes nothing: Spark does its work again, and the sum does not depend on the order.
"""
from typing import Any, Iterable, List, Optional, Tuple

from ._parts import as_profile, groups_of, merge_parts, reduce_files
from ._profile import Path, Profile


def _merged(group: int, numbered: "Iterable[Tuple[int, bytes]]") -> "List[Tuple[int, bytes]]":
    parts = [part for _, part in numbered]
    return [(group, merge_parts(parts))] if parts else []


def reduce(spark: Any, paths: Any, npartitions: Optional[int] = None, split_every: int = 8, **options: Any) -> Profile:
    """The part of all files. paths may be an RDD of paths or of names with bytes (binaryFiles), and each partition is a
    group; else npartitions is the number of groups of files. split_every is the number of parts that are added at once;
    other arguments are options of `profkit reduce`. A file that cannot be read is an Error on the executor, so
    an exception of Spark here."""
    if not hasattr(paths, "mapPartitionsWithIndex"):
        files: "List[Path]" = list(paths)
        context = spark.sparkContext
        paths = context.parallelize(files, npartitions or groups_of(len(files), context.defaultParallelism))
    groups = paths.getNumPartitions()
    numbered = paths.mapPartitionsWithIndex(lambda group, these: [(group, part) for part in reduce_files(these, options)])
    split_every = max(split_every, 2)  # with fewer the sum would never end
    while groups > split_every:
        groups = -(-groups // split_every)
        numbered = numbered.map(lambda pair: (pair[0] // split_every, pair[1])) \
            .partitionBy(groups, lambda group: group).mapPartitionsWithIndex(_merged)
    return as_profile([part for _, part in numbered.collect()])


def _kind(values: "List[Any]") -> str:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int}:
        return "bigint"
    return "double" if kinds and kinds <= {int, float} else "string"


def frame(spark: Any, part: Profile, sql: str, schema: Optional[str] = None) -> Any:
    """The rows of a statement of SQL as a DataFrame of Spark. profkit-store(5) has the tables; the columns are nullable,
    bigint if all values are whole numbers, double if all are numbers, else string. schema, such as "name string, total
    bigint", is needed where there may be no rows, or a column only NULL."""
    table = part.query(sql)
    columns = {name: table.column(name) for name in table.columns}
    kinds = {name: _kind(values) for name, values in columns.items()}
    convert = {"bigint": int, "double": float, "string": str}
    rows = [[None if value is None else value if schema else convert[kinds[name]](value)
             for name, value in zip(table.columns, row)] for row in table]
    return spark.createDataFrame(rows, schema or ", ".join(f"`{name}` {kind}" for name, kind in kinds.items()))
