"""Where is a mover at a tick, and on the way to the next? Its state, the pose it says for it, and where that faces."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats, is_finite
from keypose.motion import (
    FaceForward,
    Mover,
    Pose,
    forward_orientations,
    interpolate_pose,
    lerp_pose,
    pose_center,
    pose_to_3d,
)
from keypose.stage.actor import Actor
from keypose.stage.run.frozen_state import NotFiniteError, freeze, thaw

ZERO_VELOCITY = np.zeros(3)
RELATIVE_TOLERANCE = (
    1e-12  # of its distance from the origin: what moves less in a tick rests, and keeps its facing; of a length
)


@dataclass(frozen=True, eq=False)
class MoverState:
    """One mover at one tick: its state, its pose where it stands, and for facing its velocity and upright facing."""

    state: Any
    pose: Pose
    velocity: Floats
    upright: Floats
    is_immutable: bool
    """Whether its state is made of nothing that a step could change."""

    @property
    def mutable_state(self) -> Any:
        """The state, for the mover to do with it what it likes."""
        return self.state if self.is_immutable else thaw(self.state)


def build_mover_state(
    actor: Actor, state: Any, time: float, before: MoverState | None = None, dt: float = 1.0
) -> MoverState:
    """A mover's track from its new state; a state or a pose that is no number any more is refused."""
    try:
        state = freeze(state)
    except NotFiniteError:
        raise _not_finite_error(actor, time) from None
    thawed = thaw(state)
    return update_mover_state(
        actor, state_pose(actor, thawed, time), time, before, dt, state=state, is_immutable=thawed is state
    )


def update_mover_state(
    actor: Actor,
    pose: Pose,
    time: float,
    before: MoverState | None = None,
    dt: float = 1.0,
    *,
    state: Any = None,
    is_immutable: bool = True,
) -> MoverState:
    """The track of what is at a pose now, which came there from another one `dt` seconds ago."""
    if before is not None and before.pose.position.shape != pose.position.shape:
        raise KeyposeError(
            f"Actor {actor.name!r} had a place of shape {before.pose.position.shape} and at {time:g} s has one of "
            f"shape {pose.position.shape}. A mover keeps the number of its points."
        )
    if before is None or not isinstance(actor.facing, FaceForward):
        return static_mover_state(pose, state, is_immutable=is_immutable)
    position = pose_center(pose)
    displacement = position - pose_center(before.pose)
    is_resting = np.abs(displacement).max() <= RELATIVE_TOLERANCE * (1 + np.abs(position).max())
    velocity = ZERO_VELOCITY if is_resting else displacement / dt
    upright = forward_orientations(velocity, before.upright)
    orientation = actor.facing.apply_bank(upright, (velocity - before.velocity) / dt) if actor.facing.bank else upright
    return MoverState(state, Pose(pose.position, orientation), velocity, upright, is_immutable)


def static_mover_state(pose: Pose, state: Any = None, *, is_immutable: bool = True) -> MoverState:
    """The track of what is at a pose and does not turn to where it goes."""
    return MoverState(state, pose, ZERO_VELOCITY, pose.orientation, is_immutable)


def pose_between_ticks(actor: Actor, before: MoverState, after: MoverState, fraction: float, time: float) -> Pose:
    """A mover's pose at a share of the way from one tick to the next, where it stands."""
    if fraction in (0.0, 1.0):
        return before.pose if fraction == 0.0 else after.pose
    pose = call_mover(
        actor, time, interpolate_pose, require_mover(actor), before.mutable_state, after.mutable_state, fraction
    )
    return orient_between_ticks(actor, before, after, fraction, _check_pose(actor, pose, time))


def orient_between_ticks(actor: Actor, before: MoverState, after: MoverState, fraction: float, pose: Pose) -> Pose:
    """A pose at a share of the way from one tick to the next, facing forward if the actor does."""
    if isinstance(actor.facing, FaceForward):
        return Pose(pose.position, lerp_pose(before.pose, after.pose, fraction).orientation)
    return pose


def state_pose(actor: Actor, state: Any, time: float) -> Pose:
    """Where a state is, if it is anywhere at all."""
    return _check_pose(actor, call_mover(actor, time, require_mover(actor).pose, state), time)


def call_mover(actor: Actor, time: float, method: Callable[..., Any], *args: Any) -> Any:
    """What a mover answers; if it fails, its error tells of which actor that is, and when."""
    try:
        return method(*args)
    except KeyposeError as error:
        error.args = (f"Actor {actor.name!r} at {time:g} s: {error}",)
        raise
    except Exception as error:
        error.add_note(f"This is the mover of actor {actor.name!r} at {time:g} s.")
        raise


def _check_pose(actor: Actor, pose: Any, time: float) -> Pose:
    """A mover's pose in space, if it is one."""
    if not isinstance(pose, Pose):
        raise KeyposeError(
            f"The mover of actor {actor.name!r} says at {time:g} s that it is at {short_repr(pose)}. Give a Pose."
        )
    position, orientation = _private_copy(pose.position), _private_copy(pose.orientation)
    if position.ndim not in (1, 2) or not 1 <= position.shape[-1] <= 3 or orientation.shape != (4,):
        raise KeyposeError(
            f"The mover of actor {actor.name!r} has a pose of shapes {position.shape} and {orientation.shape} "
            f"at {time:g} s. "
            "Give one place (3,) or a drawing (points, 3), and one facing w x y z."
        )
    length = math.hypot(*orientation.tolist())
    if not (is_finite(position) and math.isfinite(length)):
        raise _not_finite_error(actor, time)
    if not length:
        raise KeyposeError(
            f"The mover of actor {actor.name!r} faces (0, 0, 0, 0) at {time:g} s, which is no way to face. "
            "Give w x y z, as (1, 0, 0, 0) for upright."
        )
    if abs(length - 1) > RELATIVE_TOLERANCE:
        orientation = orientation / length
    return pose_to_3d(Pose(position, orientation))


def _private_copy(values: Floats) -> Floats:
    """Numbers that stay as they are, whatever a mover does to its own."""
    return values.copy() if values.flags.writeable or not values.flags.owndata else values


def _not_finite_error(actor: Actor, time: float) -> KeyposeError:
    return KeyposeError(
        f"Actor {actor.name!r} came to a place or a state that is not finite at {time:g} s. "
        "Change the mover, or take a shorter tick."
    )


def require_mover(actor: Actor) -> Mover[Any]:
    """What moves an actor that takes ticks."""
    assert actor.single_mover is not None
    return actor.single_mover
