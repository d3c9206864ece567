"""Recording a part of a program by cProfile."""
import cProfile
import functools
from typing import Any, Callable, List, Optional, TypeVar, cast

from ._binary import Error, Word
from ._profile import Profile, load

Function = TypeVar("Function", bound=Callable[..., Any])


class Recording(Profile):
    """The profile of what ran in a `with` block, or of all calls of a function so far. It is written
    when it is first looked at."""

    def __init__(self) -> None:
        super().__init__([])
        self._profiler: Optional[cProfile.Profile] = None
        self._depth = 0

    def __enter__(self) -> "Recording":
        self._depth += 1
        if self._depth == 1:  # not again within itself
            self._profiler = self._profiler or cProfile.Profile()
            self._owned, self._paths = None, []
            try:
                self._profiler.enable()
            except ValueError as error:  # Python 3.12 and later: another one is active
                self._depth = 0
                raise Error(f"cProfile cannot record here: {error}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._profiler:
            self._profiler.disable()

    def _files(self) -> List[Word]:
        if self._profiler is None or self._depth:
            raise Error("nothing was recorded yet" if self._profiler is None else
                        "the recording is not at its end")
        if not self._paths:
            written = load(self._profiler)
            self._owned, self._paths = written._owned, written._paths
        return self._paths

    def __call__(self, function: Function) -> Function:
        @functools.wraps(function)
        def recorded(*args: Any, **named: Any) -> Any:
            with self:
                return function(*args, **named)
        recorded.profile = self  # type: ignore[attr-defined]
        return cast(Function, recorded)


def profile(function: Optional[Function] = None) -> Any:
    """`with profkit.profile() as p: ...` records what is in the block: p is its Profile behind it.
    `@profkit.profile` records every call of a function: f.profile is the Profile of all of them."""
    recording = Recording()
    return recording if function is None else recording(function)
