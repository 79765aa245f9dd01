"""Who meets whom? The actors whose keys are carried by others, and when each of those keys is passed.

Where all carriers are functions of time this is solved once, when it is first asked for. Where one of them takes ticks
it is found out tick by tick, and belongs to the moment (`moment`).
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.motion import (
    CornerTimes,
    Event,
    FaceForward,
    Motion,
    PassLog,
    PoseLookup,
    RecordedMotion,
    RelativeMotion,
    corner_times,
    has_untimed_keys,
    infer_key_times,
    merge_corners,
    solve_passing_times,
)
from keypose.stage.actor import Actor
from keypose.stage.evaluate.batch import Batch
from keypose.stage.evaluate.poses import pose_lookup

if TYPE_CHECKING:
    from keypose.stage.resolved_stage import ResolvedStage


class RelativeKeySolver:
    """The rendez-vous of a stage."""

    def __init__(self, stage: "ResolvedStage") -> None:
        self._stage = stage
        self._names = frozenset(actor.name for actor in stage.spec.actors if actor.carriers)
        self._motions: dict[str, RelativeMotion] = {}
        self._logs: dict[str, PassLog] = {}
        self._corner_times: dict[str, CornerTimes] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    @property
    def has_motions(self) -> bool:
        """Whether any rendez-vous was asked for."""
        return bool(self._motions)

    @cached_property
    def live(self) -> tuple[str, ...]:
        """Those who depend on what takes ticks, each after those it depends on."""
        if not self._names or not self._stage.movers:
            return ()
        movers = set(self._stage.movers)
        order = [name for name, is_aimed in self._stage.steps if not is_aimed and name in self._names]
        return tuple(name for name in order if any(other in movers for other, _ in self._stage.steps_to(name)))

    def for_stage(self, stage: "ResolvedStage") -> "RelativeKeySolver":
        """The rendez-vous of a stage on which the same depend on the same; nothing is known of them yet."""
        solver = RelativeKeySolver.__new__(RelativeKeySolver)
        solver._stage, solver._names = stage, self._names
        solver._motions, solver._logs, solver._corner_times = {}, {}, {}
        if "live" in self.__dict__:
            solver.__dict__["live"] = self.live
        return solver

    def reuse_results(self, other: "RelativeKeySolver", changed: frozenset[str]) -> None:
        """Take over what is known on another stage of those who depend on nobody that `changed` differently there."""
        for name in other._motions.keys() & self._names - self._motions.keys():
            if changed.isdisjoint(one for one, _ in self._stage.steps_to(name)):
                self._motions[name] = other._motions[name]
                if name in other._logs:
                    self._logs[name] = other._logs[name]

    def relative_motion(self, name: str) -> RelativeMotion:
        """An actor's motion with its carried keys."""
        if name not in self._motions:
            actor = self._stage.by_name[name]
            motion = _require_motion(actor)
            if has_untimed_keys(motion):
                self._solve_dependencies(name)
                motion = infer_key_times(motion, actor.parent, self._lookup(name), self.corner_times(name))
            self._motions[name] = RelativeMotion(motion, actor.parent)
        return self._motions[name]

    def pass_log(self, name: str) -> PassLog:
        """When each key is passed and where its carrier is then, for an actor that is a function of time."""
        if name not in self._logs:
            self._solve_dependencies(name)
            self._solve(name)
        return self._logs[name]

    def _solve_dependencies(self, name: str) -> None:
        """Solve all that an actor depends on, in order: chains of carriers may be longer than Python's stack."""
        for other, is_aimed in self._stage.steps_to(name):
            if not is_aimed and other != name and other in self and other not in self._logs and other not in self.live:
                self._solve(other)

    def _solve(self, name: str) -> None:
        self._logs[name] = solve_passing_times(self.relative_motion(name), self._lookup(name), self.corner_times(name))

    def _lookup(self, name: str) -> PoseLookup:
        return pose_lookup(self._stage.evaluator, self.batches(name))

    def batches(self, name: str) -> tuple[Batch, ...]:
        """Those an actor depends on, as they are asked together while its passing is searched for."""
        return self._stage.batches_of(dict.fromkeys(other for other, _ in self._stage.steps_to(name) if other != name))

    def corner_times(self, name: str) -> CornerTimes:
        """When those an actor depends on pass their keys, where they may turn abruptly."""
        if name not in self._corner_times:
            others = dict.fromkeys(other for other, _ in self._stage.steps_to(name) if other != name)
            self._corner_times[name] = merge_corners(part for other in others for part in self._actor_corners(other))
        return self._corner_times[name]

    def _actor_corners(self, name: str) -> list[CornerTimes | Floats]:
        motion = self._stage.by_name[name].motion
        if motion is None or name in self.live:
            return []
        return (
            [self.pass_log(name).passed_at]
            if name in self and not self.relative_motion(name).is_timed
            else [corner_times(motion)]
        )

    def events(self, pass_log: Callable[[str], PassLog], until: float) -> tuple[Event, ...]:
        """What is worth telling up to a moment [s]: carriers that came to their end before they met anybody."""
        found = [event for name in sorted(self._names) for event in self.actor_events(name, pass_log, until)]
        return tuple(sorted(found, key=lambda event: event.time))

    def actor_events(self, name: str, pass_log: Callable[[str], PassLog], until: float) -> list[Event]:
        """One for each carrier that came to rest too early, by the first key that was not reached by then."""
        relative_motion, found, log = self.relative_motion(name), dict[str, Event](), pass_log(name)
        for key, carrier in zip(
            relative_motion.relative_path.relative_keys.tolist(), relative_motion.carriers, strict=True
        ):
            end, pass_time = self._rest_time(carrier), relative_motion.pass_time(key, log)
            if carrier not in found and 0 <= end < min(pass_time, until):
                arrival_text = "is reached" if np.isinf(pass_time) else f"is reached at {pass_time:g} s"
                text = (
                    f"{_key_text(relative_motion.motion, key)} is carried by {carrier!r}, whose motion ends "
                    f"at {end:g} s, before "
                    f"the key {arrival_text}. The carrier is held where it ended."
                )
                found[carrier] = Event(end, name, text, "warning")
        return list(found.values())

    def _rest_time(self, name: str) -> float:
        """When an actor and all it stands on come to rest for good [s]: infinite if never, below 0 if always."""
        return max(_motion_end(self._stage.by_name[other]) for other, _ in self._stage.steps_to(name))

    def check(self, changed: str | None = None) -> None:
        """Refuse what cannot be met, with a sentence; only `changed` may be new."""
        for name in self._names if changed is None else self._names & {changed}:
            actor = self._stage.by_name[name]
            motion = _require_motion(actor)
            pins = motion.path.keys.column("pin")
            names = motion.path.keys.column("relative_to")
            assert names is not None
            is_relative = np.array([one is not None for one in names])
            pinned_keys = np.flatnonzero(is_relative if pins is None else is_relative & pins)
            if motion.outside != "hold" and len(pinned_keys):
                raise KeyposeError(
                    f"{_key_text(motion, int(pinned_keys[0]))} of actor {name!r} is carried until it is "
                    "passed, but the motion "
                    f'has outside="{motion.outside}" and passes it again and again. Give the key pin=False, or hold.',
                    at=("actors", self._stage.names.index(name), "outside"),
                )
        for name in self.live if changed is None else set(self.live) & {changed}:
            actor = self._stage.by_name[name]
            if has_untimed_keys(_require_motion(actor)):
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


def _require_motion(actor: Actor) -> Motion:
    assert actor.motion is not None
    return actor.motion


def _key_text(motion: Motion, key: int) -> str:
    """A key as it is spoken of: by its number, and its name if it has one."""
    key_name = motion.path.keys[key].name
    return f"Key {key}" if key_name is None else f"Key {key} ({key_name!r})"


def _motion_end(actor: Actor) -> float:
    """When a motion comes to its end [s]: infinite if it repeats or takes ticks, -1 if it stands still all the time."""
    motion = actor.motion
    if motion is None:
        return np.inf
    if isinstance(motion, RecordedMotion):
        is_still = (motion.position == motion.position[0]).all() and (motion.orientation == motion.orientation[0]).all()
        return -1.0 if is_still else float(motion.times[-1])
    if not actor.carriers and motion.path.length == 0:
        return -1.0
    return motion.span[1] if motion.outside == "hold" else np.inf
