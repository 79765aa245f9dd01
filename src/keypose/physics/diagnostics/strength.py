"""Who is too weak for its goal? Whose muscles lack something all the time, though it gets no nearer.

A limb that has too little strength hangs where it can, or swings: it need not stand still to be told of. One that is
only slow gets on, or comes nearer, and is not.
"""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats
from keypose.motion import NO_STOP, Event
from keypose.physics.diagnostics.blocked import STALL, blocking_forces
from keypose.physics.engine.joint_torques import EffectorTask
from keypose.physics.following.follower_arrays import (
    AT_REST_FRACTION,
    CLOSEST,
    MIN_MOVE_FRACTION,
    RECENT_CLOSEST,
    TARGET,
    WEAK_FOR,
    WEAK_REPORTED,
    WEAK_U,
    FollowerArrays,
    U,
)
from keypose.physics.relative.key_carriers import KeyCarriers

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


PATIENCE_FACTOR = 2.0  # times as long as somebody waits who is stuck: a swing may bring it nearer
MIN_DEFICIT_FRACTION = 0.01  # of what is wanted: who lacks less is as strong as it need be
PATH_SAMPLES = 16  # places of a path at which it is asked how strong somebody must be there
REMEDY = " Give the joint more strength, or let more help pull."
NOT_REPORTED, SUSPECTED, REPORTED = 0.0, 0.5, 1.0  # what is told of one who is short


def update_weakness(
    follower: Floats, distance: float, within: float, has_deficit: bool, step: float, patience: float
) -> bool:
    """Whether a limb has lacked strength for long enough without getting on, or nearer to its target; and count on.

    Who sags at first may come nearer again, however slowly: it is doubted first, and from where it is lately.
    """
    has_progressed = follower[U] > follower[WEAK_U] + MIN_MOVE_FRACTION
    if (
        has_progressed
        or distance < follower[CLOSEST] - MIN_MOVE_FRACTION * within
        or distance <= AT_REST_FRACTION * within
    ):
        follower[WEAK_U], follower[CLOSEST], follower[RECENT_CLOSEST], follower[WEAK_FOR] = (
            follower[U],
            distance,
            NO_STOP,
            0.0,
        )
        if has_progressed and follower[WEAK_REPORTED] == SUSPECTED:
            follower[WEAK_REPORTED] = NOT_REPORTED
        return False
    weak_for = follower[WEAK_FOR] = max(0.0, follower[WEAK_FOR] + (step if has_deficit else -step))
    if weak_for >= PATIENCE_FACTOR * patience / 2:
        follower[RECENT_CLOSEST] = min(follower[RECENT_CLOSEST], distance)
    if weak_for < PATIENCE_FACTOR * patience or follower[WEAK_REPORTED] == REPORTED:
        return False
    if follower[WEAK_REPORTED] == NOT_REPORTED:
        follower[WEAK_REPORTED], follower[CLOSEST], follower[RECENT_CLOSEST], follower[WEAK_FOR] = (
            SUSPECTED,
            follower[RECENT_CLOSEST],
            NO_STOP,
            0.0,
        )
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
    followers: Floats,
    weak_tasks: dict[int, EffectorTask],
) -> list[Event]:
    """What is told, once, of those who have been short of strength for long, unless something is in their way."""
    events = []
    for number, task in weak_tasks.items():
        follower = followers[number]
        ((_, blockers),) = blocking_forces(
            engine, follower_arrays, key_carriers, followers, np.array([number]), False
        ).items()
        follower[WEAK_FOR] = 0.0
        if not blockers:
            follower[WEAK_REPORTED] = REPORTED
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
    engine: "Engine", follower_arrays: FollowerArrays, number: int, follower: Floats, task: EffectorTask
) -> str:
    """Which joint is too weak, and by how much: to be held where its target is, or anywhere on its way from there on;
    or else to be pulled as it is now.
    """
    row, target = int(follower_arrays.body_rows[number]), follower[TARGET : TARGET + 3]
    strength, distance = task.joint_torques.strength, float(np.linalg.norm(target - engine.poses[row, :3]))
    pull_torques = (
        task.required_torques * min(1.0, follower_arrays.lead_limits[number, 0] / distance)
        if distance > 0
        else task.required_torques
    )
    for required in (
        engine.max_static_torques(row, _path_ahead(follower_arrays, number, follower[U])),
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
    return (
        f"Does not get to its goal: the muscles of {engine.dof_body_name(joint)!r} give {strength[joint]:.3g} "
        f"N m{assist_text} "
        f"where {needed} asked for.{REMEDY}"
    )


def _path_ahead(follower_arrays: FollowerArrays, number: int, u: float) -> Floats:
    """Where a target at u and on its way from there on is, to the end or once round, (LOOKS, 3)."""
    (begin, count), is_closed = (
        follower_arrays.segment_ranges[number, :2].tolist(),
        bool(follower_arrays.closed[number]),
    )
    parameters = np.linspace(u, u + count if is_closed else float(count), PATH_SAMPLES)
    segments = (
        np.floor(parameters).astype(np.int64)
        if is_closed
        else np.minimum(np.floor(parameters).astype(np.int64), count - 1)
    )
    powers = (parameters - segments)[:, None] ** np.arange(4)
    return np.asarray(np.einsum("np,npx->nx", powers, follower_arrays.cubics[begin + segments % count]))
