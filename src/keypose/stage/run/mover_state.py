"""Where is a mover at a tick, and on the way to the next? Its state, the pose it says for it, and where that faces."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.finite import is_finite
from keypose.motion.facing import FaceForward, towards
from keypose.motion.hierarchy import between, in_space, middle
from keypose.motion.mover import Mover, pose_between
from keypose.motion.pose import Pose
from keypose.stage.actor import Actor
from keypose.stage.run.frozen_state import NotFiniteError, kept, lent

STILL = np.zeros(3)
ROUNDING = 1e-12  # of its distance from the origin: what moves less in a tick rests, and keeps its facing; of a length


@dataclass(frozen=True, eq=False)
class Track:
    """One mover at one tick: its state, its pose where it stands, and for facing its velocity and upright facing."""

    state: Any
    pose: Pose
    velocity: Floats
    upright: Floats
    fixed: bool
    """Whether its state is made of nothing that a step could change."""

    @property
    def lent(self) -> Any:
        """The state, for the mover to do with it what it likes."""
        return self.state if self.fixed else lent(self.state)


def tracked(actor: Actor, state: Any, time: float, before: Track | None = None, dt: float = 1.0) -> Track:
    """A mover's track from its new state; a state or a pose that is no number any more is refused."""
    try:
        state = kept(state)
    except NotFiniteError:
        raise _nowhere(actor, time) from None
    given = lent(state)
    return followed(actor, posed(actor, given, time), time, before, dt, state=state, fixed=given is state)


def followed(
    actor: Actor,
    pose: Pose,
    time: float,
    before: Track | None = None,
    dt: float = 1.0,
    *,
    state: Any = None,
    fixed: bool = True,
) -> Track:
    """The track of what is at a pose now, which came there from another one `dt` seconds ago."""
    if before is not None and before.pose.position.shape != pose.position.shape:
        raise KeyposeError(
            f"Actor {actor.name!r} had a place of shape {before.pose.position.shape} and at {time:g} s has one of "
            f"shape {pose.position.shape}. A mover keeps the number of its points."
        )
    if before is None or not isinstance(actor.facing, FaceForward):
        return posed_at(pose, state, fixed=fixed)
    here = middle(pose)
    moved = here - middle(before.pose)
    rests = np.abs(moved).max() <= ROUNDING * (1 + np.abs(here).max())
    velocity = STILL if rests else moved / dt
    upright = towards(velocity, before.upright)
    facing = actor.facing.leaned(upright, (velocity - before.velocity) / dt) if actor.facing.bank else upright
    return Track(state, Pose(pose.position, facing), velocity, upright, fixed)


def posed_at(pose: Pose, state: Any = None, *, fixed: bool = True) -> Track:
    """The track of what is at a pose and does not turn to where it goes."""
    return Track(state, pose, STILL, pose.orientation, fixed)


def pose_on_the_way(actor: Actor, before: Track, after: Track, share: float, time: float) -> Pose:
    """A mover's pose at a share of the way from one tick to the next, where it stands."""
    if share in (0.0, 1.0):
        return before.pose if share == 0.0 else after.pose
    said = asked(actor, time, pose_between, mover_of(actor), before.lent, after.lent, share)
    return facing_between(actor, before, after, share, _checked(actor, said, time))


def facing_between(actor: Actor, before: Track, after: Track, share: float, pose: Pose) -> Pose:
    """A pose at a share of the way from one tick to the next, facing forward if the actor does."""
    if isinstance(actor.facing, FaceForward):
        return Pose(pose.position, between(before.pose, after.pose, share).orientation)
    return pose


def posed(actor: Actor, state: Any, time: float) -> Pose:
    """Where a state is, if it is anywhere at all."""
    return _checked(actor, asked(actor, time, mover_of(actor).pose, state), time)


def asked(actor: Actor, time: float, answer: Callable[..., Any], *given: Any) -> Any:
    """What a mover answers; if it fails, its error tells of which actor that is, and when."""
    try:
        return answer(*given)
    except KeyposeError as error:
        error.args = (f"Actor {actor.name!r} at {time:g} s: {error}",)
        raise
    except Exception as error:
        error.add_note(f"This is the mover of actor {actor.name!r} at {time:g} s.")
        raise


def _checked(actor: Actor, pose: Any, time: float) -> Pose:
    """A mover's pose in space, if it is one."""
    if not isinstance(pose, Pose):
        raise KeyposeError(
            f"The mover of actor {actor.name!r} says at {time:g} s that it is at {shown(pose)}. Give a Pose."
        )
    place, facing = _own(pose.position), _own(pose.orientation)
    if place.ndim not in (1, 2) or not 1 <= place.shape[-1] <= 3 or facing.shape != (4,):
        raise KeyposeError(
            f"The mover of actor {actor.name!r} has a pose of shapes {place.shape} and {facing.shape} at {time:g} s. "
            "Give one place (3,) or a drawing (points, 3), and one facing w x y z."
        )
    length = math.hypot(*facing.tolist())
    if not (is_finite(place) and math.isfinite(length)):
        raise _nowhere(actor, time)
    if not length:
        raise KeyposeError(
            f"The mover of actor {actor.name!r} faces (0, 0, 0, 0) at {time:g} s, which is no way to face. "
            "Give w x y z, as (1, 0, 0, 0) for upright."
        )
    if abs(length - 1) > ROUNDING:
        facing = facing / length
    return in_space(Pose(place, facing))


def _own(values: Floats) -> Floats:
    """Numbers that stay as they are, whatever a mover does to its own."""
    return values.copy() if values.flags.writeable or not values.flags.owndata else values


def _nowhere(actor: Actor, time: float) -> KeyposeError:
    return KeyposeError(
        f"Actor {actor.name!r} came to a place or a state that is not finite at {time:g} s. "
        "Change the mover, or take a shorter tick."
    )


def mover_of(actor: Actor) -> Mover[Any]:
    """What moves an actor that takes ticks."""
    assert actor.lone is not None
    return actor.lone
