"""Profiles: one file or several, and the commands of profkit as methods."""
import os
from typing import Any, List, Optional, Union

from ._binary import Error, Word, options_as_words, run
from ._picture import Picture
from ._table import Table

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def _as_word(path: Path) -> Word:
    """A path that is no option."""
    word: Word = os.fspath(path)
    if isinstance(word, bytes):
        return b"./" + word if word.startswith(b"-") else word
    return "./" + word if word.startswith("-") else word


def _as_operand(text: Optional[str]) -> "tuple[Word, ...]":
    """A function or a place; profkit would take one that begins with a dash for an option."""
    if text and text.startswith("-"):
        raise Error(f"{text!r} begins with a dash: write it as a regular expression, '[-]...'")
    return (text,) if text else ()


class Folder:
    """A new folder that goes with the last profile that needs it."""

    def __init__(self) -> None:
        import shutil
        import tempfile
        import weakref
        self.name = tempfile.mkdtemp(prefix="profkit-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


    def has(self, path: Any) -> bool:
        return os.fsdecode(os.path.dirname(path)) == self.name


def _anywhere(path: Any) -> Any:
    """A path, or a list of them, that is valid in any folder."""
    return [_anywhere(one) for one in path] if isinstance(path, (list, tuple)) else os.path.abspath(path)


class Profile:
    """A profile, or several that the commands take together (workers, gpu). Keyword arguments of the
    methods are the options of the command: limit=5 is --limit=5, reverse=True is --reverse."""

    def __init__(self, paths: "list[Path]", owned: Optional[Folder] = None) -> None:
        self._paths: List[Word] = [_as_word(path) for path in paths]
        self._owned = owned  # with files that were made for this profile

    @property
    def paths(self) -> List[Word]:
        return list(self._paths)

    def _files(self) -> List[Word]:
        return self._paths

    def _table(self, command: str, options: "dict[str, Any]", before: "tuple[Word, ...]" = (),
               after: "tuple[Word, ...]" = (), key: str = "rows") -> Table:
        if not options.keys().isdisjoint(("format", "like", "output")):
            raise Error("a Table is read from JSON: format, like and output are options of the command line")
        words = [command, "--format=json", *options_as_words(options), *before, *self._files(), *after]
        done = run(words, good=(0, 1))
        if not done.data:  # of SQL that is only a comment
            raise Error(f"profkit {command} printed nothing")
        return Table(done.data, done.notes, key)

    def _picture(self, command: str, options: "dict[str, Any]", height: Optional[int]) -> Picture:
        if self._owned:  # a page names its files: without the folder, which says nothing
            options = {name: _anywhere(value) if name in ("source", "baseline") else value for name, value in options.items()}
            files = [os.path.basename(path) if self._owned.has(path) else _anywhere(path) for path in self._files()]
            done = run([command, *options_as_words(options), *files], folder=self._owned.name)
        else:
            done = run([command, *options_as_words(options), *self._files()])
        text = self.text().splitlines()
        line = text[0] if text else ""
        if self._owned:  # the folder says nothing
            line = line.replace(self._owned.name + "/", "")
        return Picture(command, done.data.decode("utf-8", "surrogateescape"), line, done.notes, height)

    def text(self, command: str = "summary", *operands: str, **options: Any) -> str:
        """What the command prints for people: print(p.text()), print(p.text("tree", limit=20))."""
        return run([command, *options_as_words(options), *self._files(), *operands],
                   good=(0, 1)).data.decode("utf-8", "replace")

    def info(self) -> "dict[str, Any]":
        """All that the file says about itself."""
        import json
        result: "dict[str, Any]" = json.loads(run(["info", "--format=json", *self._files()]).data)
        return result

    def hotspots(self, **options: Any) -> Table:
        """The functions that cost most."""
        return self._table("hotspots", options)

    def tree(self, **options: Any) -> Table:
        """The call tree; parent is the node of the row above."""
        return self._table("tree", options)

    def callers(self, function: Optional[str] = None, **options: Any) -> Table:
        """Who calls a function (of all functions, if none is named)."""
        return self._table("callers", options, before=_as_operand(function))

    def callees(self, function: Optional[str] = None, **options: Any) -> Table:
        """What a function calls."""
        return self._table("callees", options, before=_as_operand(function))

    def lines(self, place: Optional[str] = None, **options: Any) -> Table:
        """Source lines with their cost; place is a FUNCTION or SOURCE[:LINE]."""
        return self._table("lines", options, after=_as_operand(place))

    def memory(self, **options: Any) -> Table:
        """How much memory was used, when, and by what."""
        return self._table("memory", options)

    def ops(self, **options: Any) -> Table:
        """The operators of a trace of torch or JAX."""
        return self._table("ops", options)

    def workers(self, **options: Any) -> Table:
        """The workers; meta has the shares of time, metrics and diagnosis."""
        other = any(name in options for name in ("functions", "scaling", "by"))
        return self._table("workers", options, key="rows" if other else "workers")

    def gpu(self, **options: Any) -> Table:
        """Where the time of GPUs goes."""
        return self._table("gpu", options)

    def query(self, sql: str, **options: Any) -> Table:
        """The rows of a statement of SQL: see profkit-store(5) for the tables."""
        # "--" begins a comment of SQL, and would be an option
        return self._table("query", options, after=(" " + sql if sql.startswith("-") else sql,))

    def diff(self, other: "Union[Profile, Path]", **options: Any) -> Table:
        """What changed from this profile to the other."""
        after = other if isinstance(other, Profile) else load(other)
        return self._table("diff", options, after=("--", *after._files()))

    def flamegraph(self, height: Optional[int] = None, **options: Any) -> Picture:
        """A flame graph; height is that of its frame in a notebook, in pixels."""
        return self._picture("flamegraph", options, height)

    def callgraph(self, height: Optional[int] = None, **options: Any) -> Picture:
        """The call graph as SVG."""
        return self._picture("callgraph", {"to": "svg", **options}, height)

    def timeline(self, height: Optional[int] = None, **options: Any) -> Picture:
        """Processes and threads over time."""
        return self._picture("timeline", options, height)

    def report(self, height: Optional[int] = None, **options: Any) -> Picture:
        """One page with everything."""
        return self._picture("report", options, height)

    def convert(self, path: Path, **options: Any) -> List[str]:
        """Writes the profile to a file of another format, by its suffix or to='...'. Returns
        profkit's messages, such as what the format does not keep."""
        target: Word = os.fspath(path)
        output: Word = b"--output=" + target if isinstance(target, bytes) else f"--output={target}"
        return run(["convert", *options_as_words(options), output, *self._files()]).notes

    def __repr__(self) -> str:
        try:
            return f"<Profile {self.text().splitlines()[0]}>"
        except (Error, IndexError) as error:
            return f"<Profile {self._paths!r}: {error}>"

    def _repr_html_(self) -> str:
        from html import escape
        return f"<pre>{escape(self.text())}</pre>"


def _write(source: Any, path: str) -> None:
    """Writes bytes or a profiler to a file, a profiler by its own method."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        with open(path, "wb") as file:
            file.write(source)
    elif hasattr(source, "dump_stats"):  # cProfile.Profile, profile.Profile, pstats.Stats
        source.dump_stats(path)
    elif hasattr(source, "last_session"):  # pyinstrument.Profiler
        if source.last_session is None:
            raise Error("the profiler of pyinstrument has recorded nothing")
        source.last_session.save(path)
    elif hasattr(source, "frame_records") and hasattr(source, "save"):  # its session
        source.save(path)
    else:
        raise TypeError(f"profkit.load takes a path, bytes, a cProfile.Profile or a session of pyinstrument, "
                        f"not {type(source).__name__}")


def load(source: Any, *more: Any) -> Profile:
    """A profile from a path, the bytes of a file, a cProfile.Profile, a pstats.Stats or a session of
    pyinstrument; several of them for commands that take several (workers, gpu)."""
    paths: List[Any] = []
    owned: Optional[Folder] = None
    for i, one in enumerate((source, *more)):
        if isinstance(one, (str, os.PathLike)):
            path = os.fspath(one)
            if not os.path.exists(path) and not _names_run(path):
                raise Error(f"reading {os.fsdecode(path)!r}: No such file or directory")
            paths.append(path)
            continue
        if owned is None:
            owned = Folder()
        path = os.path.join(owned.name, _name(one) + (str(i) if more else ""))
        _write(one, path)
        paths.append(path)
    return Profile(paths, owned)


def _names_run(path: Any) -> bool:
    """FILE@RUN, a run of a store."""
    at = os.fsdecode(path).rpartition("@")
    return bool(at[0]) and os.path.exists(at[0])


def _name(source: Any) -> str:
    """What the file is called in titles."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "bytes"
    return {"cProfile": "cProfile", "profile": "profile", "pstats": "pstats"}.get(
        type(source).__module__, type(source).__module__.partition(".")[0] or "profile")
