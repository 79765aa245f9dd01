"""How does an actor go through the world? Its trail over its span, a dot per frame, its keys and their tangents.

The trail is sampled in time, so it shows what is seen: a ring on a moving hand, a key where its carrier has brought it
when it is passed. Its numbers go to the page as they are (`views.Curve`).
"""

import math

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Indices
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.take import IDENTITY, Recorded
from keypose.stage.actor import Actor
from keypose.stage.evaluate.poses import looking
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.present.relative_paths import bent_path
from keypose.studio.present.rough_paths import path_arrays
from keypose.studio.present.scene import laid_out
from keypose.studio.present.trail_samples import PROFILE_SAMPLES, Moments, drawn
from keypose.studio.preview.preview import Film
from keypose.studio.protocol.updates.updates import Curve, packed
from keypose.timing.clocks import Pacing
from keypose.timing.speed_profile import SpeedProfile


def curve_of(film: Film, name: str, fps: float, revision: int) -> bytes:
    """An actor's trail, packed."""
    actor = film.stage[name]
    motion = actor.motion
    if motion is None or isinstance(motion, Recorded):
        arrays, length = _recorded(film, actor, fps)
    else:
        arrays, length = _travelled(film, actor, motion, fps)
    path = bent_path(film, name, 0.0) or raced_along(film.stage, name)
    if path is not None:
        arrays, length = arrays | path_arrays(path), max(path.length, length)
    laid, numbers = laid_out(arrays)
    duration = film.take_seconds if motion is None else motion.span[1] - motion.span[0]
    head = Curve(actor=name, revision=revision, length=length, duration=duration, arrays=laid)
    return packed(head, numbers)


class Passage:
    """How a motion goes along its path at the moments of its trail; what its drawn speed says is not asked anew."""

    def __init__(self, motion: Motion, fps: float) -> None:
        clock = motion.clock
        if isinstance(clock, Pacing) and type(motion) is Motion:  # else it may have answers of its own
            said = drawn(clock.profile, clock.duration, motion.start, fps)
            self.moments, self.profile = said.moments, said.profile
            distance, self.speed = said.distance(clock), said.speed(clock)
            self.stripes, self.u = distance[:: self.moments.step], motion.path.parameter(distance)
            return
        self.moments, self.profile = Moments.over(motion.span, fps), _profile(motion)
        line = self.moments.line
        self.u, self.speed = np.asarray(motion.parameter(line)), np.asarray(motion.speed(line))
        self.stripes = np.asarray(motion.distance(line[:: self.moments.step]))


def _travelled(film: Film, actor: Actor, motion: Motion, fps: float) -> tuple[dict[str, Floats], float]:
    """The trail of a motion with keys."""
    passage = Passage(motion, fps)
    moments = passage.moments
    count = len(moments.line)
    carried = bool(actor.carriers) and actor.name not in film.ticking
    if actor.parent is None and not actor.carriers:
        # Its keys are on the path wherever time is: when they are passed need not be known to draw them.
        key = np.arange(float(len(motion.path)))
        u = np.concatenate([passage.u, key])
        speed = np.concatenate([passage.speed, np.interp(key, passage.u, passage.speed)])
        poses: Pose | None = in_space(Pose.of(motion.path.at(u), np.broadcast_to(IDENTITY, (len(u), 4))))
        order = np.argsort(u, kind="stable")
    else:
        when = np.concatenate([moments.line, film.key_times(actor.name, motion)])
        u, when = film.parameter(actor.name, motion, when), film.played(actor.name, when)
        poses = film.poses(actor.name, when)
        order = np.argsort(when, kind="stable")
        speed = np.empty(len(when)) if poses is None else _speed_along(middle(poses), when, order)
    arrays = _line(poses, order, speed, u, slice(0, count, moments.step))
    arrays |= _at_keys(film, actor, motion, None if poses is None else poses[count:], carried)
    return {**arrays, "stripes": passage.stripes, "profile": passage.profile}, motion.path.length


def _line(poses: Pose | None, order: Indices, speed: Floats, u: Floats, frames: slice) -> dict[str, Floats]:
    """The trail itself: samples and keys in the order they are passed, and a dot per frame."""
    if poses is None:
        nothing = np.empty(0)
        return {"line": np.empty((0, 3)), "line_u": nothing, "line_speed": nothing, "dots": np.empty((0, 3)),
                "dot_speed": nothing}  # fmt: skip
    places = middle(poses)
    return {
        "line": places[order],
        "line_u": u[order],
        "line_speed": speed[order],
        "dots": places[frames],
        "dot_speed": speed[frames],
    }


def _speed_along(places: Floats, t: Floats, order: Indices) -> Floats:
    """Metres per second at samples of a way (n, 3), which come one after the other in this order."""
    gone = np.sqrt(np.sum(np.diff(places[order], axis=0) ** 2, axis=1))
    took = np.diff(t[order])
    pace = np.divide(gone, took, out=np.zeros_like(gone), where=took > 0)
    weight = np.concatenate([[0.0], took, [0.0]])
    padded = np.concatenate([pace[:1], pace, pace[-1:]])
    total = weight[:-1] + weight[1:]
    # A key's own moment may be a sample's: what took no time has no say.
    mean = (padded[:-1] * weight[:-1] + padded[1:] * weight[1:]) / np.where(total > 0, total, 1.0)
    speed = np.empty(len(t))
    speed[order] = mean
    return speed


def _at_keys(film: Film, actor: Actor, motion: Motion, here: Pose | None, carried: bool) -> dict[str, Floats]:
    """Where the keys are in the world when they are passed, and how they are passed."""
    if here is None:
        return {"keys": np.empty((0, 3)), "key_turns": np.empty((0, 4)), "arrive": np.empty((0, 3)),
                "leave": np.empty((0, 3))}  # fmt: skip
    turns = here.orientation
    if actor.parent is None and not actor.carriers:  # the samples are without facings, which only keys need
        turned = None if actor.facing is None else film.poses(actor.name, film.key_times(actor.name, motion))
        if turned is not None:
            turns = turned.orientation
        elif motion.path.turns is not None:
            turns = motion.path.orientation_at(np.arange(float(len(turns))))
    if carried:
        meetings = film.stage.meetings
        passed, look = film.key_times(actor.name, motion), looking(film.stage.instants)
        arrive, leave = meetings.of(actor.name).tangents(passed, look, meetings.story(actor.name))
    else:
        arrive, leave = np.asarray(motion.path.arrive), np.asarray(motion.path.leave)
    arrive, leave = (_one_vector(tangents) for tangents in (arrive, leave))
    under = None if actor.parent is None else film.poses(actor.parent, film.key_times(actor.name, motion))
    if under is not None:
        arrive, leave = (quaternion.rotate(under.orientation, tangents) for tangents in (arrive, leave))
    found = {"keys": middle(here), "key_turns": turns, "arrive": arrive, "leave": leave}
    return {**found, "drawings": here.position} if here.position.ndim == 3 else found


def _one_vector(tangents: Floats) -> Floats:
    """Tangents (keys, …) as one vector in space each, (keys, 3): of a drawing the mean over its points."""
    one = tangents.mean(axis=1) if tangents.ndim == 3 else tangents
    if one.shape[1] == 3:
        return one
    return np.concatenate([one, np.zeros((len(one), 3 - one.shape[1]))], axis=1)


def _profile(motion: Motion) -> Floats:
    """The relative speed over x = 0 … 1 of the duration, (p, 2)."""
    x = np.linspace(0.0, 1.0, PROFILE_SAMPLES)
    if isinstance(motion.clock, Pacing):
        drawn = motion.timing if isinstance(motion.timing, SpeedProfile) else SpeedProfile.steady()
        return np.stack([x, drawn.at(x)], axis=1)
    first, last = motion.span
    speed = np.asarray(motion.speed(np.minimum(first + x * (last - first), last)))
    mean = float(speed.mean())
    return np.stack([x, speed / mean if mean > 0 else speed], axis=1)


def _recorded(film: Film, actor: Actor, fps: float) -> tuple[dict[str, Floats], float]:
    """The trail of what was recorded, or takes ticks: it has no keys."""
    span = (0.0, film.take_seconds) if actor.motion is None else actor.motion.span
    if not (math.isfinite(span[1] - span[0]) and span[1] > span[0]):
        raise KeyposeError(f"Actor {actor.name!r} has no span to draw: {span[0]:g} to {span[1]:g} s.")
    moments = Moments.over(span, fps)
    poses = film.poses(actor.name, moments.line)
    u = (moments.line - span[0]) / (span[1] - span[0])
    order = np.arange(len(moments.line))
    speed = np.empty(0) if poses is None else _speed_along(middle(poses), moments.line, order)
    arrays = _line(poses, order, speed, u, slice(0, None, moments.step))
    line = arrays["line"]
    distance = np.concatenate([[0.0], np.cumsum(np.sqrt(np.sum(np.diff(line, axis=0) ** 2, axis=1)))])
    nothing = {"keys": np.empty((0, 3)), "key_turns": np.empty((0, 4)), "arrive": np.empty((0, 3)),
               "leave": np.empty((0, 3)), "profile": np.empty((0, 2))}  # fmt: skip
    return {**arrays, **nothing, "stripes": distance[:: moments.step]}, float(distance[-1])
