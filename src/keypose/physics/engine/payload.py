"""What hangs on a body beside its middle? How much its weight can turn it, and how much harder to turn that makes it.

What is pinned or hinged to it moves with it, as a part of it. What turns any way about a place weighs there, with all
that hangs on it in turn.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec

Neighbours = Mapping[int, Sequence[tuple[int, EqualitySpec]]]
"""Who is held to each, and by which tie."""


def compute_payloads(
    body_specs: Sequence[BodySpec],
    equalities: Sequence[EqualitySpec],
    mass: Floats,
    inertia: Floats,
    axes: Floats,
    gravity: float,
) -> Floats:
    """How all that hangs on each of those who move can turn it by its weight [rad/s²], and how many times as hard to
    turn that makes it, (moving, 2); about whichever axis of its inertia that is more.
    """
    neighbours = _connected_bodies(body_specs, equalities)
    payloads = np.tile([0.0, 1.0], (len(mass), 1))
    for row in neighbours:
        origin, orientation = (
            np.array(body_specs[row].position),
            quaternion.multiply(np.array(body_specs[row].orientation), axes[row]),
        )
        moments = inertias = np.zeros(3)
        for rows, position, is_ball in _attached_groups(row, neighbours, body_specs):
            x, y, z = quaternion.rotate(quaternion.conjugate(orientation), position - origin)
            lever, weight = np.hypot([y, z, x], [z, x, y]), mass[rows].sum()
            moments = moments + weight * lever
            inertias = inertias + weight * lever**2 + (0.0 if is_ball else inertia[rows].max())
        payloads[row] = gravity * (moments / inertia[row]).max(), 1.0 + (inertias / inertia[row]).max()
    return payloads


def _connected_bodies(body_specs: Sequence[BodySpec], equalities: Sequence[EqualitySpec]) -> Neighbours:
    """Those who are free to move and held to each other."""
    free_rows = {
        number for number, body_spec in enumerate(body_specs) if body_spec.is_movable and not body_spec.is_kinematic
    }
    neighbours: dict[int, list[tuple[int, EqualitySpec]]] = {}
    for equality in equalities:
        if equality.body2 is not None and {equality.body1, equality.body2} <= free_rows:
            neighbours.setdefault(equality.body1, []).append((equality.body2, equality))
            neighbours.setdefault(equality.body2, []).append((equality.body1, equality))
    return neighbours


def _attached_groups(
    row: int, neighbours: Neighbours, body_specs: Sequence[BodySpec]
) -> Iterator[tuple[list[int], Floats, bool]]:
    """Who hangs on a body together, where they weigh, and whether they turn any way about that place."""
    visited, rigid_group = {row}, [row]
    for member_row in rigid_group:
        for other, equality in neighbours[member_row]:
            if other in visited:
                continue
            visited.add(other)
            if len(equality.anchors) == 1:
                yield _connected_group(other, neighbours, visited), np.array(equality.anchors[0]), True
            else:
                rigid_group.append(other)
                yield [other], np.array(body_specs[other].position), False


def _connected_group(row: int, neighbours: Neighbours, visited: set[int]) -> list[int]:
    """A body and all that hangs on it and is not `visited` yet, which it is then."""
    group = [row]
    for member_row in group:
        new = [other for other, _ in neighbours[member_row] if other not in visited]
        visited.update(new)
        group += dict.fromkeys(new)
    return group
