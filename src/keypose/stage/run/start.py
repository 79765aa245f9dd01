"""How does it begin? Movers begin one after another, each after those it begins by looking at.

Who that is shows when it looks: then it waits, those begin first, and it begins again.
"""

from collections.abc import Mapping

import numpy as np

from keypose.errors import KeyposeError
from keypose.motion.facing import LookAt
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.passing_times import told
from keypose.motion.system import SystemKind
from keypose.stage.evaluate.dependencies import Step, in_order
from keypose.stage.evaluate.poses import Instants
from keypose.stage.run.moment import Moment, at_once, read_late
from keypose.stage.run.mover_state import Track, asked, followed, mover_of, tracked
from keypose.stage.run.mover_view import Views
from keypose.stage.run.system_state import Together, kept_by, outlook
from keypose.stage.run.tick_time import Beat
from keypose.stage.stage import Stage


class _NotYet(BaseException):
    """Somebody was looked at who has not begun yet; no mover shall catch it by accident."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Beginning:
    """Who has begun so far, at one moment."""

    def __init__(
        self,
        stage: Stage,
        beat: Beat,
        tracks: Mapping[str, Track],
        stories: Mapping[str, Story],
        last: Mapping[Step, Pose],
        casts: Mapping[SystemKind, Together],
    ) -> None:
        self.stage = stage
        self.before = casts
        self.casts: dict[SystemKind, Together] = {}
        self.opening = {name: pose for company in stage.companies.values() for name, pose in company.opening().items()}
        timed = {} if stage.plan is None else stage.plan.timed
        self.opening |= {name: played.at(beat.time) for name, played in timed.items()}
        self.time = beat.time
        self.tracks = dict(tracks)
        self.stories = dict(stories)
        self.last = last
        self.instant = Instants(stage, np.array([beat.time]), self._taken, self._story, self._late)
        self.views = Views(stage, self.instant, beat.time)

    def begin_all(self) -> None:
        """Let everybody begin, in an order that leaves little waiting."""
        for first in in_order(self.stage.names, self._relies_on, lambda _: None):
            trail = [first]
            while trail:  # not by recursion: rings may be longer than Python's stack
                try:
                    self._begin(trail[-1])
                    trail.pop()
                except _NotYet as missing:
                    if missing.name in trail:
                        raise self._in_a_ring(trail[trail.index(missing.name) :]) from None
                    trail.append(missing.name)

    def _begin(self, name: str) -> None:
        actor = self.stage.by_name[name]
        if actor.member is not None:
            self._begin_together(actor.member.system_kind)
        elif actor.mover is not None and name not in self.tracks:
            state = asked(actor, self.time, mover_of(actor).begin, self.views.of(actor))
            self.tracks[name] = tracked(actor, state, self.time)
        elif name in self.stage.meetings.live and name not in self.stories:
            meeting = self.stage.meetings.of(name)
            self.stories[name] = told(
                meeting, meeting.blank, np.array([self.time]), lambda name, _: self.instant.pose(name)
            )

    def _begin_together(self, kind: SystemKind) -> None:
        """Let a company begin, or go on as another one that some have left or joined."""
        if kind in self.casts:
            return
        company, before = self.stage.companies[kind], self.before.get(kind)
        seen = outlook(self.stage, self.instant, self.time, kept_by(self.before.values()))
        state = company.begin(seen) if before is None else company.gone_on(seen, before.company, before.state)
        self.casts[kind] = cast = Together.of(company, state, self.time)
        for name, pose in cast.poses.items():
            self.tracks[name] = followed(self.stage.by_name[name], pose, self.time, self.tracks.get(name))

    def _taken(self, name: str) -> Pose:
        if name in self.tracks:
            return at_once(self.tracks[name].pose)
        if name in self.opening:
            return at_once(self.opening[name])
        raise _NotYet(name)

    def _story(self, name: str) -> Story:
        if name in self.stories:
            return self.stories[name]
        if name in self.stage.meetings.live:
            raise _NotYet(name)
        return self.stage.meetings.story(name)

    def _late(self, step: Step) -> Pose | None:
        return at_once(self.last[step]) if step in self.last else None

    def _relies_on(self, name: str) -> list[str]:
        """Everybody whose pose may be asked for when an actor begins."""
        actor = self.stage.by_name[name]
        watched = self.stage.watches.get(name, ())
        looked_at = [actor.facing.name] if isinstance(actor.facing, LookAt) else []
        return [*watched, *([] if actor.parent is None else [actor.parent]), *looked_at, *actor.carriers]

    def _in_a_ring(self, ring: list[str]) -> KeyposeError:
        names = [name for name in ring if self.stage.by_name[name].mover is not None]
        if len(names) == 1:
            return KeyposeError(
                f"Mover {names[0]!r} begins by looking at somebody who stands on it or is carried by it. "
                "It must begin on its own."
            )
        several = " → ".join([*names, names[0]])
        return KeyposeError(f"These movers begin by looking at each other: {several}. One must begin on its own.")


def begun(
    stage: Stage,
    beat: Beat,
    tracks: Mapping[str, Track] | None = None,
    stories: Mapping[str, Story] | None = None,
    last: Mapping[Step, Pose] | None = None,
    casts: Mapping[SystemKind, Together] | None = None,
) -> Moment:
    """The moment at which all movers begin that have no track yet, and all stories that were not told yet.

    Where movers on a circle read the last tick and there was none, they read how everybody would be if each of them
    stood in the world by itself.
    """
    known = dict(last or {})
    if any(step not in known for step in stage.late.values()):
        apart = _Beginning(stage, beat, tracks or {}, stories or {}, known, casts or {})
        apart.begin_all()
        known = {**read_late(stage, apart.instant), **known}
    beginning = _Beginning(stage, beat, tracks or {}, stories or {}, known, casts or {})
    if stage.movers:
        beginning.begin_all()
    own = {name: beginning.tracks[name] for name in stage.movers}
    return Moment(stage, beat, own, beginning.casts, beginning.stories, known)
