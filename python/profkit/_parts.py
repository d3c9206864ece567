"""Parts as bytes, for engines that carry values from worker to worker: see profkit-reduce(1)."""
import os
import tempfile
from typing import Any, Iterable, List, Optional, Sequence, Union

from ._binary import Error, Word, options_as_words, run
from ._profile import Folder, Path, Profile, _as_word


Source = Union[Path, "tuple[str, bytes]"]


def groups_of(files: int, cores: int) -> int:
    """The number of groups in which files are read: up to 8 files each, since a process for each file costs a part that is
    written and read again, and 4 groups for each core, so that none waits long for the last one."""
    return max(1, min(files, max(4 * cores, -(-files // 8))))


def _make(command: str, inputs: Sequence[Word], options: "dict[str, Any]", folder: str,
          beside: Optional[str] = None) -> bytes:
    part = os.path.join(folder, "part.db.zst")
    # the engine has a task for each core
    run([command, *options_as_words({"jobs": 1, **options}), "--output=" + part, "--", *inputs], folder=beside)
    with open(part, "rb") as file:
        return file.read()


def _write(name: str, data: bytes, folder: str) -> bytes:
    """Writes what an engine read, hdfs://host/runs/a.prof, to runs/a.prof in the folder; returns that path."""
    import re
    path = os.path.normpath("/" + re.sub("^[a-z][a-z0-9+.-]*:(//[^/]*)?", "", name)).lstrip("/")
    whole = os.path.join(folder, path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "wb") as file:
        file.write(data)
    return os.fsencode(path)


def reduce_files(sources: Iterable[Source], options: "dict[str, Any]") -> List[bytes]:
    """The part of some files, compressed, in a list; nothing for none. A file is a path, or a name and what is in it. They
    are named by a list, since thousands of paths do not fit a command line."""
    with tempfile.TemporaryDirectory(prefix="profkit-") as folder:
        beside = None
        words = []
        for source in sources:
            if isinstance(source, tuple):
                beside = os.path.join(folder, "files")
                words.append(_write(*source, beside))
            else:
                words.append(os.fsencode(_as_word(source)))
        if not words:
            return []
        if any(b"\n" in word for word in words):
            return [_make("reduce", words, options, folder, beside)]
        name = os.path.join(folder, "list")
        with open(name, "wb") as file:
            file.write(b"\n".join(words) + b"\n")
        return [_make("reduce", ["@" + name], {"strict": True, **options}, folder, beside)]


def _write_parts(parts: Iterable[bytes], folder: str) -> List[Word]:
    names: List[Word] = []
    for number, part in enumerate(parts):
        names.append(os.path.join(folder, f"{number}.db.zst"))
        with open(names[-1], "wb") as file:
            file.write(part)
    return names


def merge_parts(parts: Sequence[bytes]) -> bytes:
    """The sum of compressed parts, compressed: any order and grouping gives the same part."""
    if len(parts) == 1:
        return parts[0]
    with tempfile.TemporaryDirectory(prefix="profkit-") as folder:
        return _make("merge", _write_parts(parts, folder), {}, folder)


def as_profile(parts: Sequence[bytes]) -> Profile:
    """The sum of compressed parts, as a file that `profkit reduce` writes."""
    if not parts:
        raise Error("there are no profiles to reduce")
    whole = Folder()
    path = os.path.join(whole.name, "part.db")
    with tempfile.TemporaryDirectory(prefix="profkit-") as folder:
        run(["merge", "--output=" + path, "--", *_write_parts(parts, folder)])
    return Profile([path], whole)
