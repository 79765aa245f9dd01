"""Who is too weak for its goal? Whose muscles lack something all the time, though it gets no nearer.

A limb that has too little strength hangs where it can, or swings: it need not stand still to be told of. One that is
only slow gets on, or comes nearer, and is not.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats, RecordArray
from keypose.motion import NO_STOP, Event
from keypose.physics.diagnostics.stalls import STALL, blocking_forces
from keypose.physics.engine.joint_torques import EffectorTask
from keypose.physics.following.follower_arrays import AT_REST_FRACTION, MIN_MOVE_FRACTION, FollowerArrays
from keypose.physics.relative.key_carriers import KeyCarriers

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


PATIENCE_FACTOR = 2.0  # times as long as somebody waits who is stuck: a swing may bring it nearer
MIN_DEFICIT_FRACTION = 0.01  # of what is wanted: who lacks less is as strong as it need be
PATH_SAMPLES = 16  # places of a path at which it is asked how strong somebody must be there
REMEDY = " Give the joint more strength, or let more help pull."
NOT_REPORTED, SUSPECTED, REPORTED = 0, 1, 2  # of the weakness of a limb: the `weak_report` of its follower


def update_weakness(
    follower: Any, distance: float, within: float, has_deficit: bool, step: float, patience: float
) -> bool:
    """Whether a limb has lacked strength for long enough without getting on, or nearer to its target; and count on.

    Who sags at first may come nearer again, however slowly: it is doubted first, and from where it is lately.
    """
    has_progressed = follower.u > follower.weak_u + MIN_MOVE_FRACTION
    if (
        has_progressed
        or distance < follower.closest - MIN_MOVE_FRACTION * within
        or distance <= AT_REST_FRACTION * within
    ):
        follower.weak_u, follower.closest, follower.recent_closest = follower.u, distance, NO_STOP
        follower.weak_for = 0.0
        if has_progressed and follower.weak_report == SUSPECTED:
            follower.weak_report = NOT_REPORTED
        return False
    follower.weak_for = max(0.0, follower.weak_for + (step if has_deficit else -step))
    if follower.weak_for >= PATIENCE_FACTOR * patience / 2:
        follower.recent_closest = min(follower.recent_closest, distance)
    if follower.weak_for < PATIENCE_FACTOR * patience or follower.weak_report == REPORTED:
        return False
    if follower.weak_report == NOT_REPORTED:
        follower.weak_report, follower.closest, follower.recent_closest = SUSPECTED, follower.recent_closest, NO_STOP
        follower.weak_for = 0.0
        return False
    return has_deficit


def has_torque_deficit(task: EffectorTask, deficit: Floats) -> bool:
    """Whether a limb lacks so much of what is wanted that it matters."""
    return bool(np.linalg.norm(deficit) > MIN_DEFICIT_FRACTION * np.linalg.norm(task.required_torques))


def weakness_events(
    engine: "Engine",
    time: float,
    follower_arrays: FollowerArrays,
    key_carriers: KeyCarriers,
    followers: RecordArray,
    weak_tasks: dict[int, EffectorTask],
) -> list[Event]:
    """What is told, once, of those who have been short of strength for long, unless something is in their way."""
    events = []
    for number, task in weak_tasks.items():
        follower = followers[number]
        ((_, blockers),) = blocking_forces(
            engine, follower_arrays, key_carriers, followers, np.array([number]), False
        ).items()
        follower.weak_for = 0.0
        if not blockers:
            follower.weak_report = REPORTED
            events.append(
                Event(
                    time,
                    follower_arrays.names[number],
                    _weakness_text(engine, follower_arrays, number, follower, task),
                    "warning",
                    STALL,
                )
            )
    return events


def _weakness_text(
    engine: "Engine", follower_arrays: FollowerArrays, number: int, follower: Any, task: EffectorTask
) -> str:
    """Which joint is too weak, and by how much: to be held where its target is, or anywhere on its way from there on;
    or else to be pulled as it is now.
    """
    row, target = int(follower_arrays.specs[number].body_row), follower.target
    strength, distance = task.joint_torques.strength, float(np.linalg.norm(target - engine.poses[row, :3]))
    pull_torques = (
        task.required_torques * min(1.0, follower_arrays.specs[number].within / distance)
        if distance > 0
        else task.required_torques
    )
    for required in (
        engine.joint_space.max_static_torques(row, _path_ahead(follower_arrays, number, follower.u)),
        np.abs(pull_torques),
        np.abs(task.required_torques),
    ):
        if (required > strength).any():
            break
    joint = int(np.argmax(required - strength))
    needed = (
        f"{required[joint]:.3g} N m are" if required[joint] > strength[joint] else "more is"
    )  # with what others ask for
    assist_text = f" and {task.joint_torques.assist_force:.3g} N help" if task.joint_torques.assist_force else ""
    limb = engine.joint_space.dof_body_name(joint)
    return (
        f"Does not get to its goal: the muscles of {limb!r} give {strength[joint]:.3g} "
        f"N m{assist_text} "
        f"where {needed} asked for.{REMEDY}"
    )


def _path_ahead(follower_arrays: FollowerArrays, number: int, u: float) -> Floats:
    """Where a target at u and on its way from there on is, to the end or once round, (LOOKS, 3)."""
    spec = follower_arrays.specs[number]
    begin, count, is_closed = int(spec.first_segment), int(spec.segment_count), bool(spec.closed)
    parameters = np.linspace(u, u + count if is_closed else float(count), PATH_SAMPLES)
    segments = (
        np.floor(parameters).astype(np.int64)
        if is_closed
        else np.minimum(np.floor(parameters).astype(np.int64), count - 1)
    )
    powers = (parameters - segments)[:, None] ** np.arange(4)
    return np.asarray(np.einsum("np,npx->nx", powers, follower_arrays.cubics[begin + segments % count]))
