"""Parts as bytes, for engines that carry values from worker to worker: see profkit-reduce(1)."""
import os
import tempfile
import zlib
from typing import Any, Iterable, List, Sequence

from ._binary import Error, Word, options_as_words, run
from ._profile import Path, Profile, _as_word, load


def _make(command: str, inputs: Sequence[Word], options: "dict[str, Any]", folder: str) -> bytes:
    part = os.path.join(folder, "part.db")
    run([command, *options_as_words(options), "--output=" + part, "--", *inputs])
    with open(part, "rb") as file:
        return zlib.compress(file.read(), 1)


def reduce_files(paths: Iterable[Path], options: "dict[str, Any]") -> List[bytes]:
    """The part of some files, packed, in a list; nothing for none. They are named by a list, since
    thousands of paths do not fit a command line."""
    words = [os.fsencode(_as_word(path)) for path in paths]
    if not words:
        return []
    with tempfile.TemporaryDirectory(prefix="profkit-") as folder:
        if any(b"\n" in word for word in words):
            return [_make("reduce", words, options, folder)]
        name = os.path.join(folder, "list")
        with open(name, "wb") as file:
            file.write(b"\n".join(words) + b"\n")
        return [_make("reduce", ["@" + name], {"strict": True, **options}, folder)]


def merge_parts(parts: Iterable[bytes]) -> bytes:
    """The sum of packed parts, packed: any order and grouping gives the same part."""
    packed = list(parts)
    if len(packed) == 1:
        return packed[0]
    if not packed:
        raise Error("there are no profiles to reduce")
    with tempfile.TemporaryDirectory(prefix="profkit-") as folder:
        names: List[Word] = []
        for number, part in enumerate(packed):
            names.append(os.path.join(folder, f"{number}.db"))
            with open(names[-1], "wb") as file:
                file.write(zlib.decompress(part))
        return _make("merge", names, {}, folder)


def as_profile(part: bytes) -> Profile:
    return load(zlib.decompress(part))
