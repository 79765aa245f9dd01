"""Does what holds bodies together still sit on them, when one is put elsewhere while it runs?

Places are said as everything stands at the beginning, and a joint stays where it is said. So who is put elsewhere
without its joint holds the other as by an arm that nobody sees: that is told, with what to do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.motion.take import Event
from keypose.physics.engine.model_spec import Solid
from keypose.physics.values.connections import Connection, Pin, Reach, Spring
from keypose.physics.values.shapes import Plane

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


NEAR = 1.1  # of how far a body reaches from its middle: what is no farther away sits on it
LONGER = 1e-6  # [m]: by how much more an arm has grown, and not only in its last digits


def left_apart(
    old: "Engine", new: "Engine", before: Sequence[Connection], now: Sequence[Connection], time: float
) -> list[Event]:
    """What is told where bodies stand otherwise at the beginning than before, and what joins them is said as before."""
    was, stands = ({solid.name: solid for solid in engine.solids} for engine in (old, new))
    moved = {name for name, solid in stands.items() if name in was and _place(solid) != _place(was[name])}
    if not moved:
        return []
    reach = dict(zip(new.names, new.wide.tolist(), strict=True))
    known = {one for one in before if not isinstance(one, Reach)}
    ends = (end for one in now if one in known for end in _ends(one))
    return [
        Event(time, end.name, text, "warning", f"{end.what} to {end.other}")
        for end in ends
        if end.name in moved and (text := end.told(was, stands, reach)) is not None
    ]


@dataclass(frozen=True)
class _End:
    """Somebody whom a connection holds to somebody else, or to the world."""

    what: str
    name: str
    other: str | None
    word: str
    """What its place is called."""
    at: tuple[float, ...] | None
    """Where it is held; None for where the other begins."""

    def told(self, was: dict[str, Solid], stands: dict[str, Solid], reach: dict[str, float]) -> str | None:
        """What is told of it; None if it is held where it was, or where it is."""
        solid = stands[self.name]
        if isinstance(solid.body.shape, Plane):  # which is everywhere
            return None
        before, now = _on(was[self.name], self._held(was)), _on(solid, self._held(stands))
        arm, near = float(np.linalg.norm(now)), reach[self.name]
        near += reach[self.other] if self.at is None and self.other is not None else 0.0
        if arm <= max(NEAR * near, float(np.linalg.norm(before)) + LONGER):
            return None
        to = "the world" if self.other is None else repr(self.other)
        if self.at is None:
            return (
                f"Was put elsewhere, and the {self.what} to {to} holds the two as they stand now, {arm:.3g} m apart, "
                f"as by an arm that nobody sees. Put {to} elsewhere too, or leave the {self.what} out."
            )
        alone = self.other is None or self.what == "spring"
        remedy = (
            f"that elsewhere too, as {self.word}={_spelled(_off(solid, before))}"
            if alone
            else f"that and {to} there too"
        )
        return (
            f"Was put elsewhere, and the {self.what} to {to} is still at {_spelled(self.at)}, {arm:.3g} m from its "
            f"middle, as on an arm that nobody sees. Put {remedy}, or leave the {self.what} out."
        )

    def _held(self, solids: dict[str, Solid]) -> Floats:
        assert self.at is not None or self.other is not None
        return np.array(solids[str(self.other)].position if self.at is None else self.at)


def _ends(one: Connection) -> Iterator[_End]:
    """Whom a connection holds at some place; a spring from middle to middle goes with them."""
    what, link = type(one).__name__.lower(), str(one.link)
    if isinstance(one, Reach) or (isinstance(one, Pin) and one.to is None):
        return
    places = (None, None) if isinstance(one, Pin) else (one.at, one.to_at if isinstance(one, Spring) else one.at)
    if places[0] is not None or isinstance(one, Pin):
        yield _End(what, link, one.to, "at", places[0])
    if one.to is not None and (places[1] is not None or isinstance(one, Pin)):
        yield _End(what, one.to, link, "to_at" if isinstance(one, Spring) else "at", places[1])


def _place(solid: Solid) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(map(float, solid.position)), tuple(map(float, solid.orientation))


def _on(solid: Solid, place: Floats) -> Floats:
    """A place of the world in the frame of somebody as it begins."""
    return quaternion.rotate(quaternion.conjugate(np.array(solid.orientation)), place - np.array(solid.position))


def _off(solid: Solid, place: Floats) -> Floats:
    """A place in the frame of somebody as it begins, in the world."""
    return np.array(solid.position) + quaternion.rotate(np.array(solid.orientation), place)


def _spelled(place: Sequence[float] | Floats) -> str:
    return f"({', '.join(f'{round(float(value), 3) + 0.0:g}' for value in place)})"
