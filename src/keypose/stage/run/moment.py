"""What is everybody's state at one tick, and what does the next tick make of it?

A moment is a value: stepping gives a new one and leaves the old as it was, which is what makes rewinding exact. Movers
see all others as they are at the moment they step from, so it does not matter who steps first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import between, middle
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.passing_times import looks, told
from keypose.motion.system import Strider, SystemKind
from keypose.motion.take import Event
from keypose.stage.evaluate.dependencies import Step
from keypose.stage.evaluate.poses import Instants, looking
from keypose.stage.run.mover_state import Track, asked, facing_between, followed, mover_of, pose_on_the_way, tracked
from keypose.stage.run.mover_view import Views
from keypose.stage.run.system_state import Together, Tracks, outlook
from keypose.stage.run.tick_time import ON_A_TICK, Beat
from keypose.stage.stage import Stage

LOOKS = np.array([0.0, 0.25, 0.5, 0.75, 0.999])  # of a tick: when to look for keys passed, the last for what falls then


@dataclass(frozen=True, eq=False)
class Moment:
    """The stage at one tick, and a track for each of its movers."""

    stage: Stage
    beat: Beat
    tracks: Mapping[str, Track]
    casts: Mapping[SystemKind, Together]
    """Those who step together."""
    stories: Mapping[str, Story]
    """Of those whose keys are carried by what takes ticks."""
    last: Mapping[Step, Pose]
    """What movers on a circle read: where the others were at the last tick, each as one place."""
    told: tuple[Event, ...] = ()
    """What was told of meetings that nobody keeps any more."""

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self.beat.time

    @cached_property
    def instant(self) -> Instants:
        """Where everybody is at this moment."""
        instant = Instants(
            self.stage,
            np.array([self.time]),
            lambda name: at_once(self.tracks[name].pose),
            self.story,
            lambda step: at_once(self.last[step]),
        )
        instant.prepare(*self.stage.seen)  # always first, or what was asked for before would change the last bits
        return instant

    def story(self, name: str) -> Story:
        """Which keys of an actor were passed by when, as far as this moment knows."""
        return self.stories[name] if name in self.stories else self.stage.meetings.story(name)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling up to this moment."""
        told = [event for cast in self.casts.values() for event in cast.company.events(cast.state)]
        met = self.stage.meetings.events(self.story, self.time)
        return tuple(sorted([*met, *self.told, *told], key=lambda event: event.time))

    @cached_property
    def poses(self) -> dict[str, Pose]:
        """Everybody's pose in the world, read-only."""
        return {name: pose[0].read_only() for name, pose in self.instant.everybody().items()}

    def stepped(self) -> "Moment":
        """The moment one tick later."""
        beat, tracks = self.beat.following, dict[str, Track]()
        views = Views(self.stage, self.instant, self.time)
        views.prepare()
        for name in self.stage.alone:
            actor, track = self.stage.by_name[name], self.tracks[name]
            state = asked(actor, beat.time, mover_of(actor).step, track.lent, views.of(actor), beat.tick)
            tracks[name] = tracked(actor, state, beat.time, track, beat.tick)
        casts = self._stepped_together(beat)
        for kind, names in self.stage.turning.items():
            for name in names:
                pose = casts[kind].poses[name]
                tracks[name] = followed(self.stage.by_name[name], pose, beat.time, self.tracks[name], beat.tick)
        stories = dict(self.stories)
        late = read_late(self.stage, self.instant)
        following = Moment(self.stage, beat, Tracks(tracks, casts.values()), casts, stories, late, self.told)
        if stories:
            self._tell_on(following, stories)
        return following

    def nearly_at(self, time: float) -> "Moment":
        """The last moment but one before a time [s], if there is a quick way to it; else this one."""
        ticks = self._ticks_until(time) - 1
        return self if self.stage.striding is None or ticks < 2 else self._strode(ticks)[1]

    def around(self, time: float) -> "tuple[Moment, Moment]":
        """The first moment not before a time [s] and the one before it; this one and the next without a quick way."""
        ticks = self._ticks_until(time)
        return (self, self.stepped()) if self.stage.striding is None or ticks < 2 else self._strode(ticks)

    def _ticks_until(self, time: float) -> int:
        """How many ticks pass until a time [s] has come."""
        last = self.beat.ticks_by(time)
        return (last if self.beat.reaching(last).has_come(time) else last + 1) - self.beat.ticks

    def _strode(self, ticks: int) -> "tuple[Moment, Moment]":
        """The last two moments of so many ticks, which the only company on the stage takes at once."""
        kind = self.stage.striding
        assert kind is not None
        company, seen = cast(Strider[Any], self.casts[kind].company), outlook(self.stage, self.instant, self.time)
        states = company.strode(self.casts[kind].state, seen, self.beat.times_of(ticks), self.beat.tick)

        def left(state: Any, number: int) -> Moment:
            beat = self.beat.reaching(self.beat.ticks + number)
            casts = {kind: Together.of(company, state, beat.time)}
            return Moment(self.stage, beat, Tracks({}, casts.values()), casts, {}, {}, self.told)

        return left(states[0], ticks - 1), left(states[1], ticks)

    def company_at(self, kind: SystemKind, before: "Moment", time: float) -> Mapping[str, Pose]:
        """Where all of a company are at a time on the way from the moment before to this one, where they stand."""
        share = share_of_way(before, self, time)
        if share in (0.0, 1.0):
            return (before if share == 0.0 else self).casts[kind].poses
        return self.casts[kind].on_the_way_from(before.casts[kind], share)

    def _stepped_together(self, beat: Beat) -> dict[SystemKind, Together]:
        """The companies one tick later."""
        seen = outlook(self.stage, self.instant, self.time) if self.casts else None
        return {
            kind: Together.of(cast.company, cast.company.step(cast.state, seen, beat.tick), beat.time)
            for kind, cast in self.casts.items()
            if seen is not None
        }

    def _tell_on(self, following: "Moment", stories: dict[str, Story]) -> None:
        """Tell the stories on until the following moment, carriers being on their way in between."""
        stage = self.stage

        def instants(t: Floats) -> Instants:
            return Instants(
                stage,
                t,
                lambda mover: taken_between(self, following, mover, t),
                following.story,
                lambda step: read_between(self, following, step, t),
            )

        times = np.append(self.time + LOOKS * (following.time - self.time), following.time)
        for name in stage.meetings.live:
            when = looks(times, stage.meetings.corners(name)(self.time, following.time))
            stories[name] = told(stage.meetings.of(name), stories[name], when, looking(instants))


def taken_between(before: Moment, after: Moment, name: str, t: Floats) -> Pose:
    """A mover's poses at times (n,) from one tick to the next, where it stands."""
    return together([taken_at(before, after, name, share_of_way(before, after, time), time) for time in t.tolist()])


def taken_at(before: Moment, after: Moment, name: str, share: float, time: float) -> Pose:
    """A mover's pose at a share of the way from one tick to the next, where it stands."""
    actor, one, two = after.stage.by_name[name], before.tracks[name], after.tracks[name]
    if actor.member is None or share in (0.0, 1.0):
        return pose_on_the_way(actor, one, two, share, time)
    kind = actor.member.system_kind
    return facing_between(actor, one, two, share, after.casts[kind].on_the_way_from(before.casts[kind], share)[name])


def read_late(stage: Stage, instant: Instants) -> dict[Step, Pose]:
    """What movers on a circle will read at the next tick, of how it is at this instant."""
    found = ((step, instant.after(step)) for step in stage.late.values())
    return {step: Pose(middle(pose)[0], pose.orientation[0]) for step, pose in found}


def late_on_the_way(before: Moment, after: Moment, step: Step, share: float) -> Pose:
    """What a mover on a circle reads of another at a share of the way from one tick to the next."""
    one, two = before.last[step], after.last[step]
    return one if share == 0.0 else two if share == 1.0 else between(one, two, share)


def read_between(before: Moment, after: Moment, step: Step, t: Floats) -> Pose:
    """What a mover on a circle reads of another at times (n,) from one tick to the next."""
    shares = [share_of_way(before, after, time) for time in t.tolist()]
    return together([late_on_the_way(before, after, step, share) for share in shares])


def share_of_way(before: Moment, after: Moment, time: float) -> float:
    """Which share of the way from one moment to the next is gone at a time; 0 and 1 a hair beside them too."""
    share = 1.0 if after is before else (time - before.time) / (after.time - before.time)
    return 1.0 if share > 1 - ON_A_TICK else 0.0 if share < ON_A_TICK else float(share)


def at_once(pose: Pose) -> Pose:
    """One pose as poses of one instant."""
    return Pose(pose.position[None], pose.orientation[None])


def together(poses: Sequence[Pose]) -> Pose:
    """Single poses as those of as many instants."""
    return Pose(np.stack([pose.position for pose in poses]), np.stack([pose.orientation for pose in poses]))
