"""What is in the way of who follows a path and does not get on? What pushes it back, or only rubs against it."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from keypose.maths import Floats, Ints, RecordArray
from keypose.motion import Event
from keypose.physics.following.follower_arrays import MAX_DISTURBANCE_WEIGHTS, FollowerArrays
from keypose.physics.relative.key_carriers import KeyCarriers

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


STALL, TURN_STALL = "stuck", "stuck in its turn"
MIN_FORCE_FRACTION = 0.1  # of the strongest push: who pushes less against somebody is not in its way
SATURATION_FRACTION = 0.99  # of the most that a follower can make up for: from there on it pulls no harder


class ContactForce(NamedTuple):
    """How somebody is pushed at one place."""

    lever: Floats
    """From its middle [m]."""
    normal: Floats
    friction: Floats
    """[N]"""

    @property
    def force(self) -> Floats:
        """All of it."""
        return self.normal + self.friction

    @property
    def frictionless(self) -> "ContactForce":
        """As it would be if it were smooth there."""
        return self._replace(friction=np.zeros(3))

    def resistance(self, direction: Floats, is_rotation: bool) -> float:
        """How strongly it is pushed back [N], or turned back [N m], who is to go or to turn away so."""
        return -float((np.cross(self.lever, self.force) if is_rotation else self.force) @ direction)


ContactForces = Mapping[str, Sequence[ContactForce]]


class Obstruction(NamedTuple):
    """What holds somebody back."""

    forces: dict[str, float]
    """Who is in its way, and how strongly that pushes [N]."""
    friction_only: frozenset[str]
    """Those of them that only rub."""
    is_key_carrier: bool
    """Whether it is held back by those to whom it goes: they are not in its way."""


def stall_events(
    engine: "Engine",
    time: float,
    follower_arrays: FollowerArrays,
    key_carriers: KeyCarriers,
    followers: RecordArray,
    weak_numbers: Collection[int],
) -> list[Event]:
    """Those who neither move nor see their target move, though they have not arrived; each is told of once.

    Whose target has come to an end may rest beside that by its own weight, if it makes up for nothing that lasts: then
    it is told of only if something is in its way. Whoever it goes to is not; nor is what only rubs, while it still
    pulls harder and may come loose. Those who are `weak_numbers` of strength are told of as too weak, see `strength`.
    Who is not told of is looked at again when it has waited for as long again.
    """
    events: list[Event] = []
    for prefix, is_rotation in (("", False), ("turn_", True)):
        stalled_for, reported = followers[f"{prefix}stalled_for"], followers[f"{prefix}stall_reported"]
        stalled = np.flatnonzero((stalled_for >= follower_arrays.specs["stall_time"]) & ~reported)
        for number, (forces, friction_only, is_key_carrier) in _obstructions(
            engine, follower_arrays, key_carriers, followers, stalled, is_rotation
        ).items():
            follower = followers[number]
            may_slip = (
                forces
                and forces.keys() == friction_only
                and _can_pull_harder(engine, follower_arrays, number, follower, is_rotation)
            )
            is_at_end = _has_reached_end(follower_arrays, number, follower, is_rotation)
            may_rest = (
                is_key_carrier
                or number in weak_numbers
                or (is_at_end and not follower_arrays.specs[number].filter_time > 0)
            )
            if may_slip or (not forces and may_rest):
                stalled_for[number] = 0.0
                continue
            reported[number] = True
            about = TURN_STALL if is_rotation else STALL
            to_target = follower.target - engine.poses[follower_arrays.specs[number].body_row, :3]
            distance_left = float(np.linalg.norm(to_target)) if is_at_end and not is_rotation else None
            events.append(
                Event(
                    time,
                    follower_arrays.names[number],
                    stall_text(forces, friction_only, is_rotation, distance_left),
                    "warning",
                    about,
                )
            )
    return events


def blocking_forces(
    engine: "Engine",
    follower_arrays: FollowerArrays,
    key_carriers: KeyCarriers,
    followers: RecordArray,
    numbers: Ints,
    is_rotation: bool,
) -> dict[tuple[str, bool], dict[str, float]]:
    """What is in the way of these followers, and how strongly it pushes [N], right after a step."""
    obstructions = _obstructions(engine, follower_arrays, key_carriers, followers, numbers, is_rotation)
    return {
        (follower_arrays.names[number], is_rotation): obstruction.forces for number, obstruction in obstructions.items()
    }


def _obstructions(
    engine: "Engine",
    follower_arrays: FollowerArrays,
    key_carriers: KeyCarriers,
    followers: RecordArray,
    numbers: Ints,
    is_rotation: bool,
) -> dict[int, Obstruction]:
    """What holds each of these followers back: what pushes it back from its target, or turns it back."""
    pairs, obstructions = engine.contact_pairs(), dict[int, Obstruction]()
    contacts = np.flatnonzero(np.isin(pairs, follower_arrays.specs["body_row"][numbers]).any(axis=1)).tolist()
    contact_data = pairs[contacts].tolist(), engine.contact_positions(contacts), engine.contact_forces(contacts)
    for number in numbers.tolist():
        follower, row = followers[number], int(follower_arrays.specs[number].body_row)
        to_target = follower.target - engine.poses[row, :3]
        contact_forces, direction = (
            _contact_forces(engine, row, *contact_data),
            _unit(follower.angular_accel_cmd if is_rotation else to_target),
        )
        min_force = 0.0
        if not is_rotation and _has_reached_end(follower_arrays, number, follower, is_rotation):
            min_force = MIN_FORCE_FRACTION * float(
                follower_arrays.specs[number].stiffness * engine.mass[row] * np.linalg.norm(to_target)
            )
        blockers = _blocking_bodies(contact_forces, direction, is_rotation, min_force)
        carriers = key_carriers.at_target(number, float(follower.turn_u if is_rotation else follower.u))
        forces = {other: force for other, force in blockers.items() if other not in carriers}
        friction_only = frozenset(
            other for other in forces if _is_friction_only(contact_forces[other], direction, is_rotation)
        )
        obstructions[number] = Obstruction(forces, friction_only, len(forces) < len(blockers))
    return obstructions


def _contact_forces(
    engine: "Engine", row: int, pairs: Sequence[Sequence[int]], positions: Floats, forces: Floats
) -> ContactForces:
    """How one of these bodies is pushed by each of those that touch it."""
    contact_forces: dict[str, list[ContactForce]] = {}
    for (one, two), position, force in zip(pairs, positions, forces, strict=True):
        if row in (one, two):
            other, (normal, friction) = engine.names[two if one == row else one], force if two == row else -force
            contact_forces.setdefault(other, []).append(
                ContactForce(position - engine.poses[row, :3], normal, friction)
            )
    return contact_forces


def _is_friction_only(contacts: Sequence[ContactForce], direction: Floats, is_rotation: bool) -> bool:
    """Whether somebody who is to go or to turn away so is held by friction alone."""
    total = sum(contact.resistance(direction, is_rotation) for contact in contacts)
    return (
        sum(contact.frictionless.resistance(direction, is_rotation) for contact in contacts)
        < MIN_FORCE_FRACTION * total
    )


def _can_pull_harder(
    engine: "Engine", follower_arrays: FollowerArrays, number: int, follower: Any, is_rotation: bool
) -> bool:
    """Whether a follower that is held compensates that more and more, and has not come to the most it can."""
    spec = follower_arrays.specs[number]
    disturbance, limit = follower.disturbance, spec.max_disturbance
    if is_rotation:
        disturbance = follower.angular_disturbance
        limit = spec.max_angular_disturbance + MAX_DISTURBANCE_WEIGHTS * engine.payload[spec.body_row, 0]
    return bool(spec.filter_time > 0.0 and np.linalg.norm(disturbance) < SATURATION_FRACTION * limit)


def _has_reached_end(follower_arrays: FollowerArrays, number: int, follower: Any, is_rotation: bool) -> bool:
    """Whether the target of a follower, or its second one, is at the end of its path or at a stop."""
    spec = follower_arrays.specs[number]
    u, stop_at = (follower.turn_u, follower.turn_stop_at) if is_rotation else (follower.u, follower.stop_at)
    return bool(u >= stop_at or (not spec.closed and u >= spec.segment_count))


def _blocking_bodies(
    contact_forces: ContactForces, direction: Floats, is_rotation: bool, min_force: float
) -> dict[str, float]:
    """Who of those that touch somebody pushes or turns it back, who is to go or to turn away so, and how strongly [N].

    Whoever does less than `min_force`, or little beside the others, is left out.
    """
    resistances = {
        other: sum(contact.resistance(direction, is_rotation) for contact in contacts)
        for other, contacts in contact_forces.items()
    }
    min_force = max(min_force, MIN_FORCE_FRACTION * max(resistances.values(), default=0.0))
    blockers = {other: amount for other, amount in resistances.items() if amount > 0 and amount >= min_force}
    if is_rotation:  # a moment would say little
        return {
            other: float(sum(np.linalg.norm(contact.force) for contact in contact_forces[other])) for other in blockers
        }
    return blockers


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector


def stall_text(
    forces: Mapping[str, float], friction_only: Collection[str], is_rotation: bool, distance_left: float | None
) -> str:
    """What is told of somebody who is stuck on its way or its turn, by what is in its way and pushes so [N].

    Whose target has come to an end is so far `distance_left` of that [m].
    """
    if forces:
        return blocked_text(forces, is_rotation, friction_only=friction_only)
    status = f"Is stuck{' in its turn' if is_rotation else ''}"
    if distance_left is not None:
        status = f"Rests {distance_left:.2g} m short of its goal"
    return (
        f"{status}, and nothing is in its way: it is pulled off its path, or cannot reach so far. Let it be "
        "more eager, "
        "or what holds it less stiff; or a limb be longer, stronger, or helped."
    )


def blocked_text(
    forces: Mapping[str, float], is_rotation: bool, is_blocked: bool = True, friction_only: Collection[str] = ()
) -> str:
    """What blocks a body that stands or hardly moves, by forces [N]; `friction_only` names those that only rub."""
    status = f"Is {'stuck' if is_blocked else 'slowed down'}{' in its turn' if is_rotation else ''}"
    names = (
        (f"the friction of {other!r}" if other in friction_only else repr(other), force)
        for other, force in forces.items()
    )
    blockers, is_single = " and ".join(f"{name} ({force:.3g} N)" for name, force in names), len(forces) == 1
    if forces.keys() <= set(friction_only):
        return f"{status}: {blockers} {'holds' if is_single else 'hold'} it."
    return f"{status}: {blockers} {'is' if is_single else 'are'} in its way."
