"""What is there to see of a field? Where its centres are and how far they reach, and where its carriers are by then."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.fields import (
    IDENTITY_ORIENTATION,
    BoundedField,
    CarriedField,
    Falloff,
    Field,
    MovedField,
    Noise,
    PoseLookup,
    ScaledField,
    Spring,
    TurnedField,
    Wall,
)
from keypose.maths import Floats, quaternion
from keypose.motion import Pose, Take, pose_center, pose_to_3d
from keypose.plot.stage.track_builder import MAX_DURATION
from keypose.stage import Stage, shoot

Region = tuple[Floats, float]

DEFAULT_REACH = 2.0  # [m] around a centre: what a field is looked at in if nothing says more
NOISE_WAVES = 3.0  # of a noise, in its own scale
UNKNOWN_CARRIER = "the carrier"  # stands for a group of whom nothing is known


@dataclass(frozen=True, eq=False)
class FieldScene:
    """A field with all groups resolved, where its carriers are, and how it was looked at."""

    field: Field
    pose_lookup: PoseLookup
    carriers: dict[str, Floats]
    """Where those are who carry it, (3,), by name."""
    note: str
    """A sentence on carriers of whom it is not known where they are, or nothing."""


def resolve_scene(field: Field, stage: Stage | Take | None, t: float) -> FieldScene:
    """The field on a stage or in a take at a moment, or without any: then every carrier stands at the origin."""
    if stage is None:
        single_carrier_field = field.resolved(lambda group: (UNKNOWN_CARRIER,))
        note = (
            f"carried by {_list_names(field.names)}, and shown around the origin of who carries it: stage= shows where"
        )
        return FieldScene(
            single_carrier_field, lambda name, t: _origin_pose(t), {}, note if single_carrier_field.names else ""
        )
    names = stage.names
    resolved_field = field.resolved(
        lambda group: tuple(name for name in names if name.startswith(group.removesuffix("*")))
    )
    for name in resolved_field.names:
        if name not in names:
            raise KeyposeError(
                f"A field is carried by {short_repr(name)}, who is not on the stage.{did_you_mean(name, names)}"
            )
    pose_lookup = _pose_lookup(stage, t) if resolved_field.names else (lambda name, t: _origin_pose(t))
    carrier_positions = {
        name: np.asarray(pose_center(pose_to_3d(pose_lookup(name, np.array(t))))) for name in resolved_field.names
    }
    return FieldScene(resolved_field, pose_lookup, carrier_positions, "")


def field_regions(field: Field, pose_lookup: PoseLookup, t: float) -> list[Region]:
    """Places (3,) of a field and how far [m] they reach; the origin if it is alike everywhere."""
    return list(_field_regions(field, pose_lookup, t)) or [(np.zeros(3), DEFAULT_REACH)]


def _field_regions(field: Field, pose_lookup: PoseLookup, t: float) -> Iterator[Region]:
    if isinstance(field, Falloff | Spring):
        yield np.array(field.center), DEFAULT_REACH
    elif isinstance(field, Wall):
        yield np.array(field.point), max(DEFAULT_REACH, 1.5 * field.reach)
    elif isinstance(field, Noise):
        yield np.zeros(3), NOISE_WAVES * field.scale
    elif isinstance(field, BoundedField):
        yield np.array(field.center), field.radius or float(np.max(np.array(field.size))) / 2
    elif isinstance(field, CarriedField):
        for name in field.names:
            pose = pose_to_3d(pose_lookup(name, np.array(t)))
            for position, reach in field_regions(field.field, pose_lookup, t):
                yield pose_center(pose) + quaternion.rotate(pose.orientation, position), reach
    elif isinstance(field, MovedField):
        yield from (
            (position + np.array(field.offset), reach) for position, reach in field_regions(field.field, pose_lookup, t)
        )
    elif isinstance(field, TurnedField):
        rotation = field.turn.wxyz
        yield from (
            (quaternion.rotate(rotation, position), reach)
            for position, reach in field_regions(field.field, pose_lookup, t)
        )
    elif isinstance(field, ScaledField):
        scale = np.array(field.factors)
        most = float(np.abs(scale).max())
        yield from ((position * scale, reach * most) for position, reach in field_regions(field.field, pose_lookup, t))
    else:
        for part in field.parts:
            yield from _field_regions(part, pose_lookup, t)


def _pose_lookup(stage: Stage | Take, t: float) -> PoseLookup:
    """Where everybody is: of a stage of motions at any moment; one with movers is shot until then."""
    if isinstance(stage, Stage) and not stage.resolved.movers:
        motions = stage.resolved
        return lambda name, t: _match_shape(motions.evaluator(np.atleast_1d(t)).pose(name), t)
    if isinstance(stage, Stage):
        if t > MAX_DURATION:
            raise KeyposeError(
                f"This stage has movers and would be shot for {t:g} s to plot a field. Give a take of it instead."
            )
        stage = shoot(stage, max(t, 0.0) + 1 / 24)
    take = stage
    return lambda name, t: take[name].at(t)


def _match_shape(pose: Pose, t: Floats) -> Pose:
    """A pose asked for at moments (n,), as it was asked."""
    return pose if np.ndim(t) else Pose(pose.position[0], pose.orientation[0])


def _origin_pose(t: Floats) -> Pose:
    return Pose(np.zeros((*np.shape(t), 3)), np.broadcast_to(IDENTITY_ORIENTATION, (*np.shape(t), 4)))


def _list_names(names: tuple[str, ...]) -> str:
    """Names in a sentence; of many the first."""
    quoted = [short_repr(name) for name in names]
    return " and ".join(quoted) if len(quoted) <= 2 else f"{quoted[0]} and {len(quoted) - 1} others"
