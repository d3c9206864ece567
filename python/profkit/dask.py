"""Parts of many profiles with Dask: see profkit-scale(7).

    from dask.distributed import Client
    import profkit.dask
    client = Client(...)
    p = profkit.dask.reduce(paths)
    p.hotspots(limit=10)

Workers need this package, and see the files under the same paths. A worker that dies changes nothing:
Dask does its work again, and the sum does not depend on the order.
"""
import os
from typing import Any, List, Optional

from ._parts import as_profile, groups_of, merge_parts, reduce_files
from ._profile import Path, Profile


def _cores() -> int:
    """The threads of the workers of the current client, else of this machine."""
    try:
        from distributed import get_client
        return sum(get_client().nthreads().values())
    except (ImportError, ValueError):
        return os.cpu_count() or 1


def _merged(some: "List[List[bytes]]") -> List[bytes]:
    parts = [part for one in some for part in one]
    return [merge_parts(parts)] if parts else []


def reduce(paths: Any, npartitions: Optional[int] = None, split_every: int = 8,
           **options: Any) -> Profile:
    """The part of all files, by the scheduler of Dask that is the current one. paths may be a bag of paths, or of pairs
    of a name and bytes; else npartitions is the number of groups of files. split_every is the number of parts that are
    added at once; other arguments are options of `profkit reduce`. A file that cannot be read is an Error."""
    import dask
    import dask.bag

    if not hasattr(paths, "to_delayed"):
        files: List[Path] = list(paths)
        groups = npartitions or groups_of(len(files), _cores())
        paths = dask.bag.from_sequence(files, npartitions=groups)
    parts = [dask.delayed(reduce_files)(group, options) for group in paths.to_delayed()]
    split_every = max(split_every, 2)  # with fewer the sum would never end
    while len(parts) > split_every:
        parts = [dask.delayed(_merged)(parts[i:i + split_every]) for i in range(0, len(parts), split_every)]
    return as_profile([part for some in dask.compute(*parts) for part in some])
