"""%profkit and %%profkit of IPython and Jupyter."""
import cProfile
import os
import shlex
from typing import Any, List, Tuple

from ._binary import Error, run
from ._profile import Profile, load

TABLES = ("hotspots", "tree", "callers", "callees", "lines", "memory", "ops", "workers", "gpu")
PICTURES = ("flamegraph", "callgraph", "timeline", "report")
HELP = """\
%profkit [COMMAND] [OPTIONS] STATEMENT   records the statement by cProfile and shows it
%profkit [COMMAND] [OPTIONS] FILE...     shows files
%%profkit [COMMAND] [OPTIONS]            records the cell
COMMAND is hotspots (if none is named), summary, tree, callers, callees, lines, memory, ops, workers, gpu, flamegraph,
callgraph, timeline or report. OPTIONS are those of the command line, values with '=' or without a space: --sort=total -n5"""


def split(line: str) -> Tuple[str, List[str], str]:
    """The command, its options, and the rest as it was written."""
    command, rest = "", line.strip()
    options: List[str] = []
    while rest:
        word, _, tail = rest.partition(" ")
        if not command and not options and word in (*TABLES, *PICTURES, "summary"):
            command = word
        elif word.startswith("-") and len(word) > 1:
            options.extend(shlex.split(word))
        else:
            break
        rest = tail.strip()
    return command, options, rest


def as_named(options: "list[str]") -> "dict[str, Any]":
    """--sort=total as sort='total'; short options as they are, by the name that has no dashes."""
    named: "dict[str, Any]" = {}
    for option in options:
        if not option.startswith("--"):
            raise Error(f"%profkit takes long options here: {option}")
        name, equals, value = option[2:].partition("=")
        named[name] = value if equals else True
    return named


def files_of(rest: str) -> List[str]:
    """The words if all of them are files."""
    if os.path.exists(rest):
        return [rest]
    try:
        words = [os.path.expanduser(word) for word in shlex.split(rest)]
    except ValueError:
        return []
    return words if words and all(os.path.exists(word) for word in words) else []


def show(profile: Profile, command: str, options: "list[str]") -> Any:
    """What the magic gives: a Table, a Picture or a text that is printed."""
    short = {"-n": "--limit=", "-s": "--sort=", "-m": "--metric="}
    words = [short[o[:2]] + o[2:] if o[:2] in short and len(o) > 2 else o for o in options]
    if command in PICTURES:
        return getattr(profile, command)(**as_named(words))
    if command == "summary":
        print(run([command, *words, *profile._files()]).data.decode("utf-8", "replace"), end="")
        return None
    return getattr(profile, command or "hotspots")(**as_named(words))


def record(shell: Any, code: str) -> Profile:
    """Runs code in the namespace of the notebook under cProfile."""
    profiler = cProfile.Profile()
    source = shell.transform_cell(code)
    compiled = compile(source, "<profkit>", "exec")
    try:
        profiler.runctx(compiled, shell.user_ns, shell.user_ns)  # type: ignore[arg-type]
    except SystemExit as ended:
        print(f"*** SystemExit: {ended.code}: the profile ends there")
    except KeyboardInterrupt:
        print("*** KeyboardInterrupt: the profile ends there")
    return load(profiler)


def register(shell: Any) -> None:
    """Makes the magics known to IPython."""
    def profkit(line: str, cell: Any = None) -> Any:
        command, options, rest = split(line)
        if cell is None and not rest:
            print(HELP)
            return None
        try:
            files = files_of(rest) if cell is None else []
            if files:
                return show(load(*files), command, options)
            return show(record(shell, rest if cell is None else f"{rest}\n{cell}"), command, options)
        except Error as error:
            print(f"profkit: {error}")
            return None
    profkit.__doc__ = HELP
    shell.register_magic_function(profkit, magic_kind="line_cell")
