"""How does a field push, seen? Arrows on lattices in three planes through its handle, at a moment.

The planes are those of the views from the top, the front and the side. Who moves in a field may feel another push than
who rests; the arrows are for those who rest.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Asked, Field, Look
from keypose.fields.algebra.sum import Sum, Times, Wrapped
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.formula.formula import Typed
from keypose.fields.library import Spring, Uniform, Wall, Weakening
from keypose.fields.noise import Noise
from keypose.fields.sensing.links import walked
from keypose.fields.sensing.observed_poses import UPRIGHT
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.studio.present.scene import laid_out
from keypose.studio.preview.field_handles import handle_of, members, of_some
from keypose.studio.preview.preview import Film
from keypose.studio.protocol.updates.updates import Arrows, packed

View = Literal["top", "front", "side"]

ACROSS = 13  # arrows along each side of a plane; odd, so that some stand at the handle
PLANES: dict[View, tuple[int, int]] = {"top": (0, 2), "front": (0, 1), "side": (2, 1)}
STRONGEST = 1e30  # [m/s²] what is stronger cannot be drawn
AS_MUCH = 1 - 1e-6  # of the strongest plane's push: then the one that is named first counts


def arrows_of(film: Film, name: str, t: float, reach: float, revision: int) -> bytes | None:
    """The arrows of a field at a moment [s] out to `reach` [m], packed; None of what has none, or is gone."""
    field = film.stage.fields.get(name)
    if not isinstance(field, Field):
        return None
    look, names = looking(film), film.stage.names
    known = field.resolved(lambda group: members([group], names))
    far = reach if (limit := limit_of(field)) is None else min(reach, limit)
    places = lattices(_held_at(known, look, t), far)
    if film.remembers(carried_late(known)):
        pushes = pushes_at(known, look, places.reshape(-1, 3), t).reshape(places.shape)
    else:
        pushes = np.full_like(places, np.nan)
    laid, numbers = laid_out({"places": places, "pushes": pushes})
    return packed(Arrows(field=name, time=t, revision=revision, best=best_plane(pushes), arrays=laid), numbers)


def lattices(place: Floats, reach: float) -> Floats:
    """Places (3, n, 3) in the planes through a place, as far as `reach` to each side."""
    steps = np.linspace(-reach, reach, ACROSS)
    found = np.tile(place, (len(PLANES), ACROSS * ACROSS, 1))
    for plane, (across, up) in zip(found, PLANES.values(), strict=True):
        plane[:, across] += np.tile(steps, ACROSS)
        plane[:, up] += np.repeat(steps, ACROSS)
    return found


def pushes_at(field: Field, look: Look, places: Floats, t: float) -> Floats:
    """What a field pushes (n, 3) whoever rests at places (n, 3); NaN where it has no value."""
    with np.errstate(all="ignore"):
        found = field.push(Asked(places, np.array(t), None, look))
    return np.where(np.abs(found) <= STRONGEST, found, np.nan)


def best_plane(pushes: Floats) -> View:
    """The plane in which it pushes most."""
    along = [
        np.hypot(plane[:, across], plane[:, up]) for plane, (across, up) in zip(pushes, PLANES.values(), strict=True)
    ]
    total = np.array([np.nansum(plane) for plane in along])
    return list(PLANES)[int(np.argmax(total >= AS_MUCH * total.max()))]


def looking(film: Film) -> Look:
    """How a field sees who carries it: in the film, at the origin while nobody knows."""

    def look(name: str, t: Floats) -> Pose:
        pose = film.poses(name, np.atleast_1d(t))
        if pose is None:
            return Pose(np.zeros((*t.shape, 3)), np.broadcast_to(UPRIGHT, (*t.shape, 4)))
        return pose if t.ndim else Pose(pose.position[0], pose.orientation[0])

    return look


def _held_at(field: Field, look: Look, t: float) -> Floats:
    """The place of a field's handle, whose groups are named one by one."""

    def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
        poses = [in_space(look(name, np.array(t))) for name in names]
        return of_some(np.array([np.concatenate([middle(pose), pose.orientation]) for pose in poses]))

    return handle_of(field, frame).place


def limit_of(field: Field) -> float | None:
    """How far from its middle a field ends [m], if it does."""
    match field:
        case Within(radius=radius, size=size):
            own = radius if size is None else max(size) / 2
            inner = limit_of(field.field)
            return own if inner is None or own is None else min(own, inner)
        case Scaled(factors=factors):
            inner = limit_of(field.field)
            return None if inner is None else inner * max(map(abs, factors))
        case Wrapped():
            return limit_of(field.field)
        case Sum(summands=summands):
            limits = [limit_of(part) for part in summands]
            known = [limit for limit in limits if limit is not None]
            return max(known) if len(known) == len(limits) else None
    return None


def stands_still(field: Field) -> bool:
    """Whether a field is the same at every moment: nobody carries it, and it does not speak of time."""
    match field:
        case Noise(speed=speed):
            return speed == 0
        case Typed():
            return "t" not in field._recipe.names
        case Moved() | Turned() | Scaled() | Within() | Times() | Sum():
            return all(map(stands_still, field.parts))
    return isinstance(field, Weakening | Spring | Uniform | Wall)


def carried_late(field: Field) -> list[str]:
    """Those who carry a field that takes its time to arrive: what is felt of it was sent before."""
    late = (part for part in walked(field) if isinstance(part, Carried) and part.speed is not None)
    return [name for part in late for name in part.names]


def carriers(film: Film, field: Field) -> int:
    """How many carry a field."""
    return len(members(field.names, film.stage.names)) if field.names else 0
