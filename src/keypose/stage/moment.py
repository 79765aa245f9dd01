"""What is everybody's state at one tick, and what does the next tick make of it?

A moment is a value: stepping gives a new one and leaves the old as it was, which is what makes rewinding exact. Movers
see all others as they are at the moment they step from, so it does not matter who steps first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, shown
from keypose.motion.facing import FaceForward, LookAt, towards
from keypose.motion.hierarchy import between, in_space, middle, seen_from
from keypose.motion.mover import Mover, Sight, pose_between, watched_by
from keypose.motion.passages import carried_over, looks, solved, told
from keypose.motion.pose import Pose
from keypose.motion.story import Story
from keypose.motion.take import Event
from keypose.stage.actor import Actor
from keypose.stage.instants import Instants, looking
from keypose.stage.order import in_order
from keypose.stage.stage import Stage

Floats = NDArray[np.float64]

STILL = np.zeros(3)
ON_A_TICK = 1e-6  # of a tick
LOOKS = np.array([0.0, 0.25, 0.5, 0.75, 0.999])  # of a tick: when to look for keys passed, the last for what falls then
ROUNDING = 1e-12  # of its distance from the origin: what moves less in a tick rests, and keeps its facing


@dataclass(frozen=True, eq=False)
class Track:
    """One mover at one tick: its state, its pose where it stands, and for facing its velocity and upright facing."""

    state: Any
    pose: Pose
    velocity: Floats
    upright: Floats


@dataclass(frozen=True, eq=False)
class Moment:
    """The stage at one tick, and a track for each of its movers."""

    stage: Stage
    time: float
    tracks: Mapping[str, Track]
    stories: Mapping[str, Story]
    """Of those whose keys are carried by what takes ticks."""

    @cached_property
    def instant(self) -> Instants:
        """Where everybody is at this moment."""
        return Instants(self.stage, np.array([self.time]), lambda name: _many(self.tracks[name].pose), self.story)

    def story(self, name: str) -> Story:
        """Which keys of an actor were passed by when, as far as this moment knows."""
        return self.stories[name] if name in self.stories else self.stage.meetings.story(name)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling up to this moment."""
        return self.stage.meetings.events(self.story, self.time)

    @cached_property
    def poses(self) -> dict[str, Pose]:
        """Everybody's pose in the world, read-only."""
        return {name: pose[0].read_only() for name, pose in self.instant.everybody().items()}

    def stepped(self, time: float, dt: float) -> "Moment":
        """The moment at `time`, `dt` seconds later."""
        tracks = {}
        for name in self.stage.movers:
            actor, track = self.stage.by_name[name], self.tracks[name]
            mover = _mover(actor)
            state = mover.step(track.state, _sight(self.instant, actor, self.time), dt)
            tracks[name] = tracked(actor, state, time, track, dt)
        return self._told_on(time, tracks) if self.stories else Moment(self.stage, time, tracks, {})

    def _told_on(self, time: float, tracks: Mapping[str, Track]) -> "Moment":
        """The moment at `time` with the stories told on that far, carriers being on their way in between."""
        stage, stories = self.stage, dict(self.stories)
        following = Moment(stage, time, tracks, stories)

        def instants(t: Floats) -> Instants:
            return Instants(stage, t, lambda mover: taken_between(self, following, mover, t), following.story)

        times = np.append(self.time + LOOKS * (time - self.time), time)
        for name in stage.meetings.live:
            when = looks(times, stage.meetings.corners(name)(self.time, time))
            stories[name] = told(stage.meetings.of(name), stories[name], when, looking(instants))
        return following

    def changed(self, actor: Actor) -> "Moment":
        """The moment with an actor said differently: a mover keeps its state if it stays of the same type."""
        stage = self.stage.with_actor(actor)
        kept = {name: track for name, track in self.tracks.items() if name != actor.name}
        stories = self._stories_on(stage, actor)
        old, new = self.stage.by_name[actor.name].mover, actor.mover
        if new is not None and type(old) is type(new):
            track = self.tracks[actor.name]
            pose = _pose(actor, track.state, self.time)
            if isinstance(actor.facing, FaceForward):
                pose = Pose(pose.position, track.pose.orientation)
            kept[actor.name] = replace(track, pose=pose)
        return begun(stage, self.time, kept, stories)

    def _stories_on(self, stage: Stage, actor: Actor) -> dict[str, Story]:
        """What happened to carried keys so far, on a stage where an actor is another; what is to come is found anew."""
        stories: dict[str, Story] = {}
        moves = replace(actor, look=None) != replace(self.stage.by_name[actor.name], look=None)

        def instants(t: Floats) -> Instants:
            return stage.instants(t, lambda name: stories[name] if name in stories else stage.meetings.story(name))

        for name in (name for name, turned in stage.steps if not turned and name in stage.meetings):
            live = name in stage.meetings.live
            if name not in self.stage.meetings:
                continue
            if not moves or not any(other == actor.name for other, _ in stage.steps_to(name)):
                if name in self.stories:
                    stories[name] = self.stories[name]
                    continue
                if not live:
                    continue
            old, new = self.stage.meetings.of(name), stage.meetings.of(name)
            known = carried_over(old, self.story(name), new, self.time)
            if known is not None:
                stories[name] = (
                    known if live else solved(new, looking(instants), stage.meetings.corners(name), known, self.time)
                )
        return stories


def begun(
    stage: Stage,
    time: float,
    tracks: Mapping[str, Track] | None = None,
    stories: Mapping[str, Story] | None = None,
) -> Moment:
    """The moment at which all movers begin that have no track yet, and all stories that were not told yet."""
    ready = dict(tracks or {})
    known = dict(stories or {})
    beginning: list[str] = []

    def begin(name: str) -> Track:
        if name in ready:
            return ready[name]
        if name in beginning:
            raise _in_a_ring([*beginning[beginning.index(name) :], name])
        beginning.append(name)
        actor = stage.by_name[name]
        state = _mover(actor).begin(_sight(instant, actor, time))
        beginning.pop()
        ready[name] = tracked(actor, state, time)
        return ready[name]

    def story(name: str) -> Story:
        if name not in known and name not in stage.meetings.live:
            return stage.meetings.story(name)
        if name not in known:
            meeting = stage.meetings.of(name)
            known[name] = told(meeting, meeting.blank, np.array([time]), lambda name, _: instant.pose(name))
        return known[name]

    instant = Instants(stage, np.array([time]), lambda name: _many(begin(name).pose), story)
    for name in in_order(stage.movers, lambda name: _relies_on(stage.by_name[name]), lambda _: None):
        if stage.by_name[name].mover is not None:
            begin(name)
    tracks = {name: ready[name] for name in stage.movers}
    return Moment(stage, time, tracks, {**known, **{name: story(name) for name in stage.meetings.live}})


def tracked(actor: Actor, state: Any, time: float, before: Track | None = None, dt: float = 1.0) -> Track:
    """A mover's track from its new state; a state or a pose that is no number any more is refused."""
    pose = _pose(actor, state, time)
    if before is not None and before.pose.position.shape != pose.position.shape:
        raise KeyposeError(
            f"Actor {actor.name!r} had a place of shape {before.pose.position.shape} and at {time:g} s has one of "
            f"shape {pose.position.shape}. A mover keeps the number of its points."
        )
    if before is None or not isinstance(actor.facing, FaceForward):
        return Track(state, pose, STILL, pose.orientation)
    here = middle(pose)
    moved = here - middle(before.pose)
    rests = np.abs(moved).max() <= ROUNDING * (1 + np.abs(here).max())
    velocity = STILL if rests else moved / dt
    upright = towards(velocity, before.upright)
    facing = actor.facing.leaned(upright, (velocity - before.velocity) / dt) if actor.facing.bank else upright
    return Track(state, Pose(pose.position, facing), velocity, upright)


def pose_on_the_way(actor: Actor, before: Track, after: Track, share: float, time: float) -> Pose:
    """A mover's pose at a share of the way from one tick to the next, where it stands."""
    if share in (0.0, 1.0):
        return before.pose if share == 0.0 else after.pose
    pose = _checked(actor, pose_between(_mover(actor), before.state, after.state, share), time)
    if isinstance(actor.facing, FaceForward):
        return Pose(pose.position, between(before.pose, after.pose, share).orientation)
    return pose


def taken_between(before: Moment, after: Moment, name: str, t: Floats) -> Pose:
    """A mover's poses at times (n,) from one tick to the next, where it stands."""
    actor, one, two = after.stage.by_name[name], before.tracks[name], after.tracks[name]
    poses = [pose_on_the_way(actor, one, two, share_of_way(before, after, time), time) for time in t.tolist()]
    return Pose(np.stack([pose.position for pose in poses]), np.stack([pose.orientation for pose in poses]))


def share_of_way(before: Moment, after: Moment, time: float) -> float:
    """Which share of the way from one moment to the next is gone at a time; 0 and 1 a hair beside them too."""
    share = 1.0 if after is before else (time - before.time) / (after.time - before.time)
    return 1.0 if share > 1 - ON_A_TICK else 0.0 if share < ON_A_TICK else float(share)


def _sight(instant: Instants, actor: Actor, time: float) -> Sight:
    """What one actor sees: the watched, in the frame it stands in itself."""

    def look(name: str) -> Pose:
        seen = instant.pose(name)
        own = seen if actor.parent is None else seen_from(instant.pose(actor.parent), seen)
        return own[0].read_only()  # others see it too

    return Sight(time, _watches(actor), look)


def _pose(actor: Actor, state: Any, time: float) -> Pose:
    """Where a state is, if it is anywhere at all."""
    if not _settled(state):
        raise _nowhere(actor, time)
    return _checked(actor, _mover(actor).pose(state), time)


def _checked(actor: Actor, pose: Any, time: float) -> Pose:
    """A mover's pose in space, if it is one."""
    if not isinstance(pose, Pose):
        raise KeyposeError(f"The mover of actor {actor.name!r} says that it is at {shown(pose)}. Give a Pose.")
    place, facing = np.asarray(pose.position, np.float64), np.asarray(pose.orientation, np.float64)
    if place.ndim not in (1, 2) or not 1 <= place.shape[-1] <= 3 or facing.shape != (4,):
        raise KeyposeError(
            f"The mover of actor {actor.name!r} has a pose of shapes {place.shape} and {facing.shape}. "
            "Give one place (3,) or a drawing (points, 3), and one facing w x y z."
        )
    if not (np.isfinite(place).all() and np.isfinite(facing).all()):
        raise _nowhere(actor, time)
    return in_space(Pose(place, facing))


def _nowhere(actor: Actor, time: float) -> KeyposeError:
    return KeyposeError(
        f"Actor {actor.name!r} came to a place or a state that is not finite at {time:g} s. "
        "The last good state is kept: change the mover, or take a shorter tick."
    )


def _in_a_ring(ring: list[str]) -> KeyposeError:
    if len(ring) == 2:
        return KeyposeError(
            f"Mover {ring[0]!r} begins by looking at somebody who stands on it or is carried by it. "
            "It must begin on its own."
        )
    told = " → ".join(ring)
    return KeyposeError(f"These movers begin by looking at each other: {told}. One must begin on its own.")


def _settled(state: Any) -> bool:
    """Whether the numbers of a state are all finite, as far as they can be found; its arrays become read-only.

    A step that changed its old state would break every rewind in silence: so it fails at once.
    """
    if isinstance(state, np.ndarray):
        state.flags.writeable = False
    if isinstance(state, float | np.ndarray | np.generic):
        numbers = np.asarray(state)
        return numbers.dtype.kind != "f" or bool(np.isfinite(numbers).all())
    if isinstance(state, tuple | list | Mapping):
        return all(_settled(part) for part in (state.values() if isinstance(state, Mapping) else state))
    if is_dataclass(state):
        return all(_settled(getattr(state, field.name)) for field in fields(state))
    return True


def _mover(actor: Actor) -> Mover[Any]:
    assert actor.mover is not None
    return actor.mover


def _watches(actor: Actor) -> tuple[str, ...]:
    return () if actor.mover is None else watched_by(actor.mover, f"Actor {actor.name!r}")


def _relies_on(actor: Actor) -> list[str]:
    """Everybody whose pose may be asked for when an actor begins."""
    looked_at = [actor.facing.name] if isinstance(actor.facing, LookAt) else []
    return [*_watches(actor), *([] if actor.parent is None else [actor.parent]), *looked_at, *actor.carriers]


def _many(pose: Pose) -> Pose:
    """One pose as poses of one instant."""
    return Pose(pose.position[None], pose.orientation[None])
