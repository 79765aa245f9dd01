"""Where do bodies begin? Followers where their paths do, and those may begin in the frame of somebody else.

Only the first place and the first facing of a path count there: two hands whose last keys are relative to each other
begin wherever their first keys are.
"""

from collections.abc import Callable, Mapping

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.relative_path import Frames
from keypose.errors import KeyposeError
from keypose.motion.pose import Pose
from keypose.physics.relative.relative_keys import loosened
from keypose.physics.values.figure import Weighty
from keypose.physics.values.movers import Follow, Skin
from keypose.physics.values.soft_surface import Skins

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def relies_on(member: Weighty) -> tuple[str, ...]:
    """The names of those whose poses decide where a body begins."""
    if not isinstance(member, Follow) or not member.carriers:
        return ()
    path, first = member.path, list[int]()
    for word in ("position", "facing"):
        column = path.keys.column(word)
        said = [] if column is None else np.flatnonzero(~np.isnan(column.reshape(len(column), -1)[:, 0])).tolist()
        if path.closed and said and said[0]:
            return member.carriers  # it begins somewhere between keys
        first += said[:1]
    names = path.keys.column("relative_to")
    assert names is not None
    return tuple(dict.fromkeys(names[key] for key in first if names[key] is not None))


def openings(
    members: Mapping[str, Weighty], known: Mapping[str, Pose], look: Callable[[str], Pose] | None
) -> dict[str, Pose]:
    """Where everybody begins who is not known to be somewhere already; `look` tells where anybody else is.

    Without it those are left out who would have to look. A circle of bodies that begin in each other's frames is
    refused.
    """
    found, skins = dict(known), Skins(members)
    waiting = {
        name: relies_on(member) for name, member in members.items() if name not in known and name not in skins.parts
    }
    while waiting:
        left = dict[str, tuple[str, ...]]()
        for name, others in waiting.items():
            fellows = [other for other in others if other in members]
            if all(other in found for other in fellows) and (look is not None or len(fellows) == len(others)):
                poses = {other: found[other] if other in found or look is None else look(other) for other in others}
                found[name] = opening(members[name], poses)
            else:
                left[name] = others
        if len(left) == len(waiting):
            if look is None:
                break
            raise _circle(left)
        waiting = left
    for (name, skin), whose in zip(skins.members.items(), skins.bodies, strict=True):
        if whose in found:
            found[name] = skin.around(found[whose])
    return {name: found[name] for name in members if name in found}


def opening(member: Weighty, poses: Mapping[str, Pose]) -> Pose:
    """Where a body begins, if those it relies on are there."""
    if isinstance(member, Skin):
        return member.around(opening(member.of, poses))
    if not isinstance(member, Follow):
        return Pose.of(np.array(member.position), member.orientation.wxyz)
    loose = loosened(member.path)
    if loose is None or not poses:
        return beginning(member.path)
    names = member.path.keys.column("relative_to")
    assert names is not None
    carriers = [poses.get(names[key]) for key in loose.loose]
    place = [np.zeros(3) if pose is None else pose.position for pose in carriers]
    facing = [IDENTITY if pose is None else pose.orientation for pose in carriers]
    return beginning(loose.settled(Frames(np.array([place]), np.array([facing])), 0))


def beginning(path: MotionPath) -> Pose:
    """Where a path begins, in space."""
    place = np.asarray(path.at(0.0))
    place = place if len(place) == 3 else np.append(place, 0.0)
    return Pose.of(place, np.asarray(path.orientation_at(0.0)))


def _circle(waiting: Mapping[str, tuple[str, ...]]) -> KeyposeError:
    ring = [next(iter(waiting))]
    while ring[-1] not in ring[:-1]:
        ring.append(next(other for other in waiting[ring[-1]] if other in waiting))
    ring = ring[ring.index(ring[-1]) :]
    return KeyposeError(
        f"These bodies begin relative to each other in a circle: {' → '.join(ring)}. "
        "Give the first key of one of them a place in the world."
    )
