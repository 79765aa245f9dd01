"""Who meets whom? The actors whose keys are carried by others, and when each of those keys is passed.

Where all carriers are functions of time this is solved once, when it is first asked for. Where one of them takes ticks
it is found out tick by tick, and belongs to the moment (`moment`).
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.motion.facing import FaceForward
from keypose.motion.motion import Motion
from keypose.motion.relative.corner_times import Corners, all_corners, corners
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.passing_times import solved
from keypose.motion.relative.relative_motion import Look, Rendezvous
from keypose.motion.relative.untimed_keys import needs_spreading, spread_in_time
from keypose.motion.take import Event, Recorded
from keypose.stage.actor import Actor
from keypose.stage.evaluate.batch import Batch
from keypose.stage.evaluate.poses import looking

if TYPE_CHECKING:
    from keypose.stage.stage import Stage


class Meetings:
    """The rendez-vous of a stage."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._names = frozenset(actor.name for actor in stage.actors if actor.carriers)
        self._of: dict[str, Rendezvous] = {}
        self._stories: dict[str, Story] = {}
        self._corners: dict[str, Corners] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    @property
    def has_met(self) -> bool:
        """Whether any rendez-vous was asked for."""
        return bool(self._of)

    @cached_property
    def live(self) -> tuple[str, ...]:
        """Those who depend on what takes ticks, each after those it depends on."""
        if not self._names or not self._stage.movers:
            return ()
        movers = set(self._stage.movers)
        order = [name for name, turned in self._stage.steps if not turned and name in self._names]
        return tuple(name for name in order if any(other in movers for other, _ in self._stage.steps_to(name)))

    def on(self, stage: "Stage") -> "Meetings":
        """The rendez-vous of a stage on which the same depend on the same; nothing is known of them yet."""
        made = Meetings.__new__(Meetings)
        made._stage, made._names = stage, self._names
        made._of, made._stories, made._corners = {}, {}, {}
        if "live" in self.__dict__:
            made.__dict__["live"] = self.live
        return made

    def share(self, other: "Meetings", moved: frozenset[str]) -> None:
        """Take over what is known on another stage of those who depend on nobody that `moved` differently there."""
        for name in other._of.keys() & self._names - self._of.keys():
            if moved.isdisjoint(one for one, _ in self._stage.steps_to(name)):
                self._of[name] = other._of[name]
                if name in other._stories:
                    self._stories[name] = other._stories[name]

    def of(self, name: str) -> Rendezvous:
        """An actor's motion with its carried keys."""
        if name not in self._of:
            actor = self._stage.by_name[name]
            motion = _motion(actor)
            if needs_spreading(motion):
                self._solve_before(name)
                motion = spread_in_time(motion, actor.parent, self._look(name), self.corners(name))
            self._of[name] = Rendezvous(motion, actor.parent)
        return self._of[name]

    def story(self, name: str) -> Story:
        """When each key is passed and where its carrier is then, for an actor that is a function of time."""
        if name not in self._stories:
            self._solve_before(name)
            self._solve(name)
        return self._stories[name]

    def _solve_before(self, name: str) -> None:
        """Solve all that an actor depends on, in order: chains of carriers may be longer than Python's stack."""
        for other, turned in self._stage.steps_to(name):
            if not turned and other != name and other in self and other not in self._stories and other not in self.live:
                self._solve(other)

    def _solve(self, name: str) -> None:
        self._stories[name] = solved(self.of(name), self._look(name), self.corners(name))

    def _look(self, name: str) -> Look:
        return looking(self._stage.instants, self.batches(name))

    def batches(self, name: str) -> tuple[Batch, ...]:
        """Those an actor depends on, as they are asked together while its passing is searched for."""
        return self._stage.batches_of(dict.fromkeys(other for other, _ in self._stage.steps_to(name) if other != name))

    def corners(self, name: str) -> Corners:
        """When those an actor depends on pass their keys, where they may turn abruptly."""
        if name not in self._corners:
            others = dict.fromkeys(other for other, _ in self._stage.steps_to(name) if other != name)
            self._corners[name] = all_corners(part for other in others for part in self._corners_of(other))
        return self._corners[name]

    def _corners_of(self, name: str) -> list[Corners | Floats]:
        motion = self._stage.by_name[name].motion
        if motion is None or name in self.live:
            return []
        return [self.story(name).passed] if name in self and not self.of(name).is_timed else [corners(motion)]

    def events(self, story: Callable[[str], Story], until: float) -> tuple[Event, ...]:
        """What is worth telling up to a moment [s]: carriers that came to their end before they met anybody."""
        found = [event for name in sorted(self._names) for event in self.events_of(name, story, until)]
        return tuple(sorted(found, key=lambda event: event.time))

    def events_of(self, name: str, story: Callable[[str], Story], until: float) -> list[Event]:
        """One for each carrier that came to rest too early, by the first key that was not reached by then."""
        meeting, found, story_of_it = self.of(name), dict[str, Event](), story(name)
        for key, carrier in zip(meeting.loose.loose.tolist(), meeting.carriers, strict=True):
            end, passed = self._end(carrier), meeting.passing_of(key, story_of_it)
            if carrier not in found and 0 <= end < min(passed, until):
                reached = "is reached" if np.isinf(passed) else f"is reached at {passed:g} s"
                text = (
                    f"{_which(meeting.motion, key)} is carried by {carrier!r}, whose motion ends at {end:g} s, before "
                    f"the key {reached}. The carrier is held where it ended."
                )
                found[carrier] = Event(end, name, text, "warning")
        return list(found.values())

    def _end(self, name: str) -> float:
        """When an actor and all it stands on come to rest for good [s]: infinite if never, below 0 if always."""
        return max(_end(self._stage.by_name[other]) for other, _ in self._stage.steps_to(name))

    def check(self, changed: str | None = None) -> None:
        """Refuse what cannot be met, with a sentence; only `changed` may be new."""
        for name in self._names if changed is None else self._names & {changed}:
            actor = self._stage.by_name[name]
            motion = _motion(actor)
            pins = motion.path.keys.column("pin")
            names = motion.path.keys.column("relative_to")
            assert names is not None
            carried = np.array([one is not None for one in names])
            pinned = np.flatnonzero(carried if pins is None else carried & pins)
            if motion.outside != "hold" and len(pinned):
                raise KeyposeError(
                    f"{_which(motion, int(pinned[0]))} of actor {name!r} is carried until it is passed, but the motion "
                    f'has outside="{motion.outside}" and passes it again and again. Give the key pin=False, or hold.',
                    at=("actors", self._stage.names.index(name), "outside"),
                )
        for name in self.live if changed is None else set(self.live) & {changed}:
            actor = self._stage.by_name[name]
            if needs_spreading(_motion(actor)):
                raise KeyposeError(
                    f"Actor {name!r} has keys with and without times, and depends on a mover, so nobody knows how far "
                    "apart they will be. Give every key a time, or none.",
                    at=("actors", self._stage.names.index(name), "path"),
                )
            if isinstance(actor.facing, FaceForward) and actor.facing.bank:
                raise KeyposeError(
                    f"Actor {name!r} leans into curves, and depends on a mover, so its way is not known ahead. "
                    "Give FaceForward() without bank.",
                    at=("actors", self._stage.names.index(name), "facing"),
                )


def _motion(actor: Actor) -> Motion:
    assert actor.motion is not None
    return actor.motion


def _which(motion: Motion, key: int) -> str:
    """A key as it is spoken of: by its number, and its name if it has one."""
    called = motion.path.keys[key].name
    return f"Key {key}" if called is None else f"Key {key} ({called!r})"


def _end(actor: Actor) -> float:
    """When a motion comes to its end [s]: infinite if it repeats or takes ticks, -1 if it stands still all the time."""
    motion = actor.motion
    if motion is None:
        return np.inf
    if isinstance(motion, Recorded):
        still = (motion.position == motion.position[0]).all() and (motion.orientation == motion.orientation[0]).all()
        return -1.0 if still else float(motion.times[-1])
    if not actor.carriers and motion.path.length == 0:
        return -1.0
    return motion.span[1] if motion.outside == "hold" else np.inf
