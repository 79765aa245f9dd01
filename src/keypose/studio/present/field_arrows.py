"""How does a field push, seen? Arrows on lattices in three planes through its handle, at a moment.

The planes are those of the views from the top, the front and the side. Who moves in a field may feel another push than
who rests; the arrows are for those who rest.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from keypose.fields import (
    IDENTITY_ORIENTATION,
    BoundedField,
    CarriedField,
    Falloff,
    Field,
    FieldModifier,
    FieldQuery,
    FormulaField,
    MovedField,
    Noise,
    PoseLookup,
    ScaledField,
    Spring,
    Sum,
    TurnedField,
    Uniform,
    Wall,
    WeightedField,
    walk_field,
)
from keypose.maths import Floats
from keypose.motion import Pose, pose_center, pose_to_3d
from keypose.studio.present.scene import pack_arrays
from keypose.studio.preview.field_handles import expand_groups, field_handle, group_frame
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.updates import Arrows, pack_update

ViewPlane = Literal["top", "front", "side"]

GRID_SIZE = 13  # arrows along each side of a plane; odd, so that some stand at the handle
PLANES: dict[ViewPlane, tuple[int, int]] = {"top": (0, 2), "front": (0, 1), "side": (2, 1)}
MAX_ACCELERATION = 1e30  # [m/s²] what is stronger cannot be drawn
PLANE_TIE_FRACTION = 1 - 1e-6  # of the strongest plane's push: then the one that is named first counts


def pack_arrows(preview: Preview, name: str, t: float, reach: float, revision: int) -> bytes | None:
    """The arrows of a field at a moment [s] out to `reach` [m], packed; None of what has none, or is gone."""
    field = preview.stage.fields.get(name)
    if not isinstance(field, Field):
        return None
    lookup, names = pose_lookup(preview), preview.stage.names
    resolved_field = field.resolved(lambda group: expand_groups([group], names))
    extent = reach if (limit := field_extent(field)) is None else min(reach, limit)
    positions = arrow_grids(_handle_position(resolved_field, lookup, t), extent)
    if preview.has_history(delayed_carriers(resolved_field)):
        accelerations = sample_accelerations(resolved_field, lookup, positions.reshape(-1, 3), t).reshape(
            positions.shape
        )
    else:
        accelerations = np.full_like(positions, np.nan)
    layout, data = pack_arrays({"positions": positions, "pushes": accelerations})
    return pack_update(
        Arrows(field=name, time=t, revision=revision, best=strongest_plane(accelerations), arrays=layout), data
    )


def arrow_grids(position: Floats, reach: float) -> Floats:
    """Places (3, n, 3) in the planes through a place, as far as `reach` to each side."""
    steps = np.linspace(-reach, reach, GRID_SIZE)
    grids = np.tile(position, (len(PLANES), GRID_SIZE * GRID_SIZE, 1))
    for plane, (across, up) in zip(grids, PLANES.values(), strict=True):
        plane[:, across] += np.tile(steps, GRID_SIZE)
        plane[:, up] += np.repeat(steps, GRID_SIZE)
    return grids


def sample_accelerations(field: Field, lookup: PoseLookup, positions: Floats, t: float) -> Floats:
    """What a field pushes (n, 3) whoever rests at places (n, 3); NaN where it has no value."""
    with np.errstate(all="ignore"):
        found = field.push(FieldQuery(positions, np.array(t), None, lookup))
    return np.where(np.abs(found) <= MAX_ACCELERATION, found, np.nan)


def strongest_plane(accelerations: Floats) -> ViewPlane:
    """The plane in which it pushes most."""
    along = [
        np.hypot(plane[:, across], plane[:, up])
        for plane, (across, up) in zip(accelerations, PLANES.values(), strict=True)
    ]
    total = np.array([np.nansum(plane) for plane in along])
    return list(PLANES)[int(np.argmax(total >= PLANE_TIE_FRACTION * total.max()))]


def pose_lookup(preview: Preview) -> PoseLookup:
    """How a field sees who carries it: in the film, at the origin while nobody knows."""

    def lookup(name: str, t: Floats) -> Pose:
        pose = preview.poses(name, np.atleast_1d(t))
        if pose is None:
            return Pose(np.zeros((*t.shape, 3)), np.broadcast_to(IDENTITY_ORIENTATION, (*t.shape, 4)))
        return pose if t.ndim else Pose(pose.position[0], pose.orientation[0])

    return lookup


def _handle_position(field: Field, lookup: PoseLookup, t: float) -> Floats:
    """The place of a field's handle, whose groups are named one by one."""

    def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
        poses = [pose_to_3d(lookup(name, np.array(t))) for name in names]
        return group_frame(np.array([np.concatenate([pose_center(pose), pose.orientation]) for pose in poses]))

    return field_handle(field, frame).position


def field_extent(field: Field) -> float | None:
    """How far from its middle a field ends [m], if it does."""
    match field:
        case BoundedField(radius=radius, size=size):
            own = radius if size is None else max(size) / 2
            inner = field_extent(field.field)
            return own if inner is None or own is None else min(own, inner)
        case ScaledField(factors=factors):
            inner = field_extent(field.field)
            return None if inner is None else inner * max(map(abs, factors))
        case FieldModifier():
            return field_extent(field.field)
        case Sum(summands=summands):
            limits = [field_extent(part) for part in summands]
            known = [limit for limit in limits if limit is not None]
            return max(known) if len(known) == len(limits) else None
    return None


def is_static(field: Field) -> bool:
    """Whether a field is the same at every moment: nobody carries it, and it does not speak of time."""
    match field:
        case Noise(speed=speed):
            return speed == 0
        case FormulaField():
            return "t" not in field.program.names
        case MovedField() | TurnedField() | ScaledField() | BoundedField() | WeightedField() | Sum():
            return all(map(is_static, field.parts))
    return isinstance(field, Falloff | Spring | Uniform | Wall)


def delayed_carriers(field: Field) -> list[str]:
    """Those who carry a field that takes its time to arrive: what is felt of it was sent before."""
    delayed = (part for part in walk_field(field) if isinstance(part, CarriedField) and part.speed is not None)
    return [name for part in delayed for name in part.names]


def count_carriers(preview: Preview, field: Field) -> int:
    """How many carry a field."""
    return len(expand_groups(field.names, preview.stage.names)) if field.names else 0
