"""Does what holds bodies together still sit on them, when one is put elsewhere while it runs?

Places are said as everything stands at the beginning, and a joint stays where it is said. So who is put elsewhere
without its joint holds the other as by an arm that nobody sees: that is told, with what to do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.motion import Event
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.values.connections import Connection, Pin, Reach, Spring
from keypose.physics.values.shapes import Plane

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


ON_BODY_FACTOR = 1.1  # of how far a body reaches from its middle: what is no farther away sits on it
LENGTH_TOLERANCE = 1e-6  # [m]: by how much more an arm has grown, and not only in its last digits


def detached_joint_events(
    old: "Engine",
    new: "Engine",
    old_connections: Sequence[Connection],
    new_connections: Sequence[Connection],
    time: float,
) -> list[Event]:
    """What is told where bodies stand otherwise at the beginning than before, and what joins them is said as before."""
    old_specs, new_specs = ({body_spec.name: body_spec for body_spec in engine.body_specs} for engine in (old, new))
    moved = {
        name
        for name, body_spec in new_specs.items()
        if name in old_specs and _initial_pose(body_spec) != _initial_pose(old_specs[name])
    }
    if not moved:
        return []
    radii = dict(zip(new.names, new.bounding_radii.tolist(), strict=True))
    unchanged = {connection for connection in old_connections if not isinstance(connection, Reach)}
    ends = (end for connection in new_connections if connection in unchanged for end in _joint_ends(connection))
    return [
        Event(time, end.name, text, "warning", f"{end.kind} to {end.other}")
        for end in ends
        if end.name in moved and (text := end.warning_text(old_specs, new_specs, radii)) is not None
    ]


@dataclass(frozen=True)
class _JointEnd:
    """Somebody whom a connection holds to somebody else, or to the world."""

    kind: str
    name: str
    other: str | None
    keyword: str
    """What its place is called."""
    anchor: tuple[float, ...] | None
    """Where it is held; None for where the other begins."""

    def warning_text(
        self, old_specs: dict[str, BodySpec], new_specs: dict[str, BodySpec], radii: dict[str, float]
    ) -> str | None:
        """What is told of it; None if it is held where it was, or where it is."""
        body_spec = new_specs[self.name]
        if isinstance(body_spec.body.shape, Plane):  # which is everywhere
            return None
        old_offset, new_offset = (
            _to_local(old_specs[self.name], self._anchor_position(old_specs)),
            _to_local(body_spec, self._anchor_position(new_specs)),
        )
        distance, radius = float(np.linalg.norm(new_offset)), radii[self.name]
        radius += radii[self.other] if self.anchor is None and self.other is not None else 0.0
        if distance <= max(ON_BODY_FACTOR * radius, float(np.linalg.norm(old_offset)) + LENGTH_TOLERANCE):
            return None
        to = "the world" if self.other is None else repr(self.other)
        if self.anchor is None:
            return (
                f"Was put elsewhere, and the {self.kind} to {to} holds the two as they stand now, "
                f"{distance:.3g} m apart, "
                f"as by an arm that nobody sees. Put {to} elsewhere too, or leave the {self.kind} out."
            )
        is_single = self.other is None or self.kind == "spring"
        remedy = (
            f"that elsewhere too, as {self.keyword}={_format_position(_to_world(body_spec, old_offset))}"
            if is_single
            else f"that and {to} there too"
        )
        return (
            f"Was put elsewhere, and the {self.kind} to {to} is still at {_format_position(self.anchor)}, "
            f"{distance:.3g} m from its "
            f"middle, as on an arm that nobody sees. Put {remedy}, or leave the {self.kind} out."
        )

    def _anchor_position(self, body_specs: dict[str, BodySpec]) -> Floats:
        assert self.anchor is not None or self.other is not None
        return np.array(body_specs[str(self.other)].position if self.anchor is None else self.anchor)


def _joint_ends(connection: Connection) -> Iterator[_JointEnd]:
    """Whom a connection holds at some place; a spring from middle to middle goes with them."""
    kind, link = type(connection).__name__.lower(), str(connection.link)
    if isinstance(connection, Reach) or (isinstance(connection, Pin) and connection.to is None):
        return
    anchors = (
        (None, None)
        if isinstance(connection, Pin)
        else (connection.at, connection.to_at if isinstance(connection, Spring) else connection.at)
    )
    if anchors[0] is not None or isinstance(connection, Pin):
        yield _JointEnd(kind, link, connection.to, "at", anchors[0])
    if connection.to is not None and (anchors[1] is not None or isinstance(connection, Pin)):
        yield _JointEnd(kind, connection.to, link, "to_at" if isinstance(connection, Spring) else "at", anchors[1])


def _initial_pose(body_spec: BodySpec) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(map(float, body_spec.position)), tuple(map(float, body_spec.orientation))


def _to_local(body_spec: BodySpec, position: Floats) -> Floats:
    """A place of the world in the frame of somebody as it begins."""
    return quaternion.rotate(
        quaternion.conjugate(np.array(body_spec.orientation)), position - np.array(body_spec.position)
    )


def _to_world(body_spec: BodySpec, position: Floats) -> Floats:
    """A place in the frame of somebody as it begins, in the world."""
    return np.array(body_spec.position) + quaternion.rotate(np.array(body_spec.orientation), position)


def _format_position(position: Sequence[float] | Floats) -> str:
    return f"({', '.join(f'{round(float(value), 3) + 0.0:g}' for value in position)})"
