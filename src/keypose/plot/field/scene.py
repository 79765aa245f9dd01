"""What is there to see of a field? Where its centres are and how far they reach, and where its carriers are by then."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field, Look
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.library import Spring, Wall, Weakening
from keypose.fields.noise import Noise
from keypose.fields.sensing.observed_poses import UPRIGHT
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.motion.take import Take
from keypose.plot.stage.track_builder import LONGEST_SHOT
from keypose.stage.recorder.shoot import shoot
from keypose.stage.stage import Stage

Sight = tuple[Floats, float]

REACH = 2.0  # [m] around a centre: what a field is looked at in if nothing says more
WAVES = 3.0  # of a noise, in its own scale
ALONE = "the carrier"  # stands for a group of whom nothing is known


@dataclass(frozen=True, eq=False)
class Scene:
    """A field with all groups resolved, where its carriers are, and how it was looked at."""

    field: Field
    look: Look
    carriers: dict[str, Floats]
    """Where those are who carry it, (3,), by name."""
    told: str
    """A sentence on carriers of whom it is not known where they are, or nothing."""


def scene_of(field: Field, stage: Stage | Take | None, t: float) -> Scene:
    """The field on a stage or in a take at a moment, or without any: then every carrier stands at the origin."""
    if stage is None:
        alone = field.resolved(lambda group: (ALONE,))
        told = f"carried by {_listed(field.names)}, and shown around the origin of who carries it: stage= shows where"
        return Scene(alone, lambda name, t: _origin(t), {}, told if alone.names else "")
    names = stage.names
    known = field.resolved(lambda group: tuple(name for name in names if name.startswith(group.removesuffix("*"))))
    for name in known.names:
        if name not in names:
            raise KeyposeError(
                f"A field is carried by {shown(name)}, who is not on the stage.{did_you_mean(name, names)}"
            )
    look = _look(stage, t) if known.names else (lambda name, t: _origin(t))
    here = {name: np.asarray(middle(in_space(look(name, np.array(t))))) for name in known.names}
    return Scene(known, look, here, "")


def sights(field: Field, look: Look, t: float) -> list[Sight]:
    """Places (3,) of a field and how far [m] they reach; the origin if it is alike everywhere."""
    return list(_sights(field, look, t)) or [(np.zeros(3), REACH)]


def _sights(field: Field, look: Look, t: float) -> Iterator[Sight]:
    if isinstance(field, Weakening | Spring):
        yield np.array(field.center), REACH
    elif isinstance(field, Wall):
        yield np.array(field.point), max(REACH, 1.5 * field.reach)
    elif isinstance(field, Noise):
        yield np.zeros(3), WAVES * field.scale
    elif isinstance(field, Within):
        yield np.array(field.center), field.radius or float(np.max(np.array(field.size))) / 2
    elif isinstance(field, Carried):
        for name in field.names:
            pose = in_space(look(name, np.array(t)))
            for place, reach in sights(field.field, look, t):
                yield middle(pose) + quaternion.rotate(pose.orientation, place), reach
    elif isinstance(field, Moved):
        yield from ((place + np.array(field.offset), reach) for place, reach in sights(field.field, look, t))
    elif isinstance(field, Turned):
        turn = field.turn.wxyz
        yield from ((quaternion.rotate(turn, place), reach) for place, reach in sights(field.field, look, t))
    elif isinstance(field, Scaled):
        stretch = np.array(field.factors)
        most = float(np.abs(stretch).max())
        yield from ((place * stretch, reach * most) for place, reach in sights(field.field, look, t))
    else:
        for part in field.parts:
            yield from _sights(part, look, t)


def _look(stage: Stage | Take, t: float) -> Look:
    """Where everybody is: of a stage of motions at any moment; one with movers is shot until then."""
    if isinstance(stage, Stage) and not stage.movers:
        motions = stage
        return lambda name, t: _shaped(motions.instants(np.atleast_1d(t)).pose(name), t)
    if isinstance(stage, Stage):
        if t > LONGEST_SHOT:
            raise KeyposeError(
                f"This stage has movers and would be shot for {t:g} s to plot a field. Give a take of it instead."
            )
        stage = shoot(stage, max(t, 0.0) + 1 / 24)
    take = stage
    return lambda name, t: take[name].at(t)


def _shaped(pose: Pose, t: Floats) -> Pose:
    """A pose asked for at moments (n,), as it was asked."""
    return pose if np.ndim(t) else Pose(pose.position[0], pose.orientation[0])


def _origin(t: Floats) -> Pose:
    return Pose(np.zeros((*np.shape(t), 3)), np.broadcast_to(UPRIGHT, (*np.shape(t), 4)))


def _listed(names: tuple[str, ...]) -> str:
    """Names in a sentence; of many the first."""
    said = [shown(name) for name in names]
    return " and ".join(said) if len(said) <= 2 else f"{said[0]} and {len(said) - 1} others"
