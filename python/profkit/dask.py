"""Parts of many profiles with Dask: see profkit-scale(7).

    from dask.distributed import Client
    import profkit.dask
    client = Client(...)
    p = profkit.dask.reduce(paths)
    p.hotspots(limit=10)

Workers need this package, and see the files under the same paths. A worker that dies changes nothing:
Dask does its work again, and the sum does not depend on the order.
"""
from typing import Any, Iterable, List, Optional

from ._parts import as_profile, merge_parts, reduce_files
from ._profile import Path, Profile


def _merge(parts: "Iterable[Any]") -> bytes:
    return merge_parts(list(parts))


def reduce(paths: Any, npartitions: Optional[int] = None, split_every: int = 8,
           **options: Any) -> Profile:
    """The part of all files, by the scheduler of Dask that is the current one. paths may be a bag of
    Dask; else npartitions is in how many groups files are read, split_every how many parts are added at once; other arguments are
    options of `profkit reduce`. A file that cannot be read is an Error."""
    from dask import bag

    if not isinstance(paths, bag.Bag):
        files: List[Path] = list(paths)
        groups = npartitions or min(len(files), 100) or 1
        paths = bag.from_sequence(files, npartitions=groups)
    parts = paths.map_partitions(lambda group: reduce_files(group, options))
    return as_profile(parts.reduction(_merge, _merge, split_every=split_every).compute())
