"""Profiles in Python, by the program profkit.

    import profkit
    p = profkit.load("out.prof")
    for row in p.hotspots(limit=10):
        print(row.function, row.self)
    p.flamegraph()                  # shows itself in a notebook

The program measures, reads and draws; this package starts it and reads its output. The
parts are imported when they are first used, so that `import profkit` takes no time.
"""
TYPE_CHECKING = False  # as in typing, whose import takes longer than all of this

__version__ = "0.1.0"
__all__ = ["Error", "Picture", "Profile", "Recording", "Table", "load", "profile"]

if TYPE_CHECKING:
    from ._binary import Error as Error
    from ._picture import Picture as Picture
    from ._profile import Profile as Profile
    from ._profile import load as load
    from ._record import Recording as Recording
    from ._record import profile as profile
    from ._table import Table as Table

_PLACES = {"Error": "_binary", "Picture": "_picture", "Profile": "_profile", "load": "_profile",
           "Recording": "_record", "profile": "_record", "Table": "_table"}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'profkit' has no attribute {name!r}")
    from importlib import import_module
    value = globals()[name] = getattr(import_module("." + _PLACES[name], __name__), name)
    return value


def __dir__() -> "list[str]":
    return sorted(set(globals()) | set(__all__))


def load_ipython_extension(shell: object) -> None:
    """What %load_ext profkit calls."""
    from . import _magics
    _magics.register(shell)
