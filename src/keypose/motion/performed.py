"""What does a take tell of a script? A room that does not know scripts speaks of it by these words."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from keypose.maths.arrays import Floats


@runtime_checkable
class Performed(Protocol):
    """A script as it was kept while something was shot: see `script.report`."""

    @property
    def script(self) -> Any:
        """The script."""
        ...

    @property
    def times(self) -> Floats:
        """(frames,) [s]."""
        ...

    @property
    def eases(self) -> Mapping[str, Floats]:
        """Which share of its own speed each went at, (frames,)."""
        ...

    @property
    def speeds(self) -> Mapping[str, Floats]:
        """How fast the target of each went, (frames,) [m/s]."""
        ...

    @property
    def own_speeds(self) -> Mapping[str, Floats]:
        """How fast it would have gone on its own, (frames,) [m/s]."""
        ...

    @property
    def meetings(self) -> Mapping[str, Any]:
        """What became of each meeting."""
        ...

    def state(self, meeting: str, t: float) -> str:
        """How a meeting was at a time [s]."""
        ...

    def waited(self, actor: str) -> tuple[tuple[float, float], ...]:
        """When somebody was slowed down or held: from when to when [s]."""
        ...
