"""The program: where it is, whether it is the right one, and what it prints."""
import os
import subprocess
import sys
from typing import Any, List, NamedTuple, Optional, Union

from . import __version__

Word = Union[str, bytes]


class Error(Exception):
    """An error that profkit reports; status is its exit status, None if it did not run."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class Output(NamedTuple):
    data: bytes
    notes: List[str]  # what profkit said on standard error although it went well
    status: int


def _places() -> List[str]:
    """Where an installed package has its programs, the likely ones first."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.dirname(os.path.abspath(sys.executable or "python3"))]
    import sysconfig
    places.append(sysconfig.get_path("scripts"))
    if "posix_user" in sysconfig.get_scheme_names():
        places.append(sysconfig.get_path("scripts", "posix_user"))
    # pip install --prefix and --target: PREFIX/lib/python3.X/site-packages/profkit, TARGET/profkit
    places.append(os.path.join(here, "../../../../bin"))
    places.append(os.path.join(here, "../bin"))
    places.extend(place for place in os.environ.get("PATH", "").split(os.pathsep) if place)
    return places


def _version(path: str) -> str:
    """The version that the program says it is; empty if it is none."""
    try:
        run = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise Error(f"the program profkit cannot be started: {path}: {error.strerror}") from None
    words = run.stdout.decode("utf-8", "replace").split()
    return words[1] if len(words) > 1 and words[0] == "profkit" else ""


def _is_script(path: str) -> bool:
    """Whether it may be a script that runs this package."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:  # a program need not be readable
        return False


_found: "dict[str, str]" = {}


def find_binary() -> str:
    """The path of the program, of the version of this package. PROFKIT_BINARY names another one."""
    named = os.environ.get("PROFKIT_BINARY", "")
    if named in _found:
        return _found[named]
    if named:
        candidates = [named]
    else:
        candidates = [os.path.join(place, "profkit") for place in _places()]
    others = []
    for path in candidates:
        if not named and not (os.path.isfile(path) and os.access(path, os.X_OK) and not _is_script(path)):
            continue
        version = _version(path)
        if version == __version__:
            _found[named] = path
            return path
        others.append(f"{path} is {'profkit ' + version if version else 'another program'}")
    again = "install the wheel again, which has both: pip install --force-reinstall FILE"
    if others:
        raise Error(f"this is the package profkit {__version__}, but {'; '.join(others)}; {again}")
    raise Error(f"the program profkit is not where this package is installed, nor in PATH; {again}. "
                "PROFKIT_BINARY names a program that is elsewhere")


def options_as_words(options: "dict[str, Any]") -> List[Word]:
    """limit=5 is --limit=5, min_share='1%' is --min-share=1%, reverse=True is --reverse, a list is
    the option again and again; None and False are nothing."""
    words: List[Word] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            if one is True:
                words.append(option)
            elif isinstance(one, (bytes, os.PathLike)):
                words.append(option.encode() + b"=" + os.fsencode(one))
            else:
                words.append(f"{option}={one}")
    return words


def _collect(words: "list[Word]", folder: Optional[str] = None) -> "tuple[bytes, bytes, int]":
    """What a program prints, what it says, and its status. subprocess.run() adds up pieces of 32 KB, which takes a tenth
    as long as the program does."""
    import threading
    said: List[bytes] = []
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                          cwd=folder, env=dict(os.environ, NO_COLOR="1")) as process:
        assert process.stdout and process.stderr
        listener = threading.Thread(target=lambda errors: said.append(errors.read()), args=(process.stderr,), daemon=True)
        try:
            listener.start()
            data = process.stdout.read()
            listener.join()
        except BaseException:  # Ctrl-C
            process.kill()
            raise
    return data, said[0], process.returncode


def run(words: "list[Word]", good: "tuple[int, ...]" = (0,), folder: Optional[str] = None) -> Output:
    """Runs profkit, in a folder. A status that is not good is an Error with what profkit says."""
    path = os.path.abspath(find_binary()) if folder else find_binary()
    try:
        data, errors, status = _collect([path, *words], folder)
    except OSError as error:
        raise Error(f"the program profkit cannot be started: {path}: {error.strerror}") from None
    except ValueError as error:  # a NUL in a path
        raise Error(str(error)) from None
    said = errors.decode("utf-8", "replace").splitlines()
    notes = [line[len("profkit: "):] if line.startswith("profkit: ") else line for line in said if line]
    if status < 0:
        raise Error(f"profkit was ended by signal {-status}", status)
    if status not in good:
        raise Error("\n".join(notes) or f"profkit ended with status {status}", status)
    return Output(data, notes, status)
