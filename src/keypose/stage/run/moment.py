"""What is everybody's state at one tick, and what does the next tick make of it?

A moment is a value: stepping gives a new one and leaves the old as it was, which is what makes rewinding exact. Movers
see all others as they are at the moment they step from, so it does not matter who steps first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from keypose.maths import Floats
from keypose.motion import (
    BatchSystem,
    Event,
    PassLog,
    Pose,
    SystemKind,
    advance_log,
    lerp_pose,
    pose_center,
    sample_times,
)
from keypose.stage.evaluate.dependencies import PoseStep
from keypose.stage.evaluate.poses import PoseEvaluator, pose_lookup
from keypose.stage.resolved_stage import ResolvedStage
from keypose.stage.run.mover_state import (
    MoverState,
    build_mover_state,
    call_mover,
    orient_between_ticks,
    pose_between_ticks,
    require_mover,
    update_mover_state,
)
from keypose.stage.run.mover_view import MoverViews
from keypose.stage.run.system_state import MoverStates, SystemState, build_step_context
from keypose.stage.run.tick_time import TICK_TOLERANCE, TickTime

SAMPLE_FRACTIONS = np.array(
    [0.0, 0.25, 0.5, 0.75, 0.999]
)  # of a tick: when to look for keys passed, the last for what falls then


@dataclass(frozen=True, eq=False)
class Moment:
    """The stage at one tick, and a track for each of its movers."""

    stage: ResolvedStage
    tick_time: TickTime
    mover_states: Mapping[str, MoverState]
    system_states: Mapping[SystemKind, SystemState]
    """Those who step together."""
    pass_logs: Mapping[str, PassLog]
    """Of those whose keys are carried by what takes ticks."""
    previous_poses: Mapping[PoseStep, Pose]
    """What movers on a circle read: where the others were at the last tick, each as one place."""
    earlier_events: tuple[Event, ...] = ()
    """What was told of meetings that nobody keeps any more."""

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self.tick_time.time

    @cached_property
    def evaluator(self) -> PoseEvaluator:
        """Where everybody is at this moment."""
        evaluator = PoseEvaluator(
            self.stage,
            np.array([self.time]),
            lambda name: as_single_instant(self.mover_states[name].pose),
            self.pass_log,
            lambda step: as_single_instant(self.previous_poses[step]),
        )
        evaluator.prepare(
            *self.stage.tick_evaluation
        )  # always first, or what was asked for before would change the last bits
        return evaluator

    def pass_log(self, name: str) -> PassLog:
        """Which keys of an actor were passed by when, as far as this moment knows."""
        return self.pass_logs[name] if name in self.pass_logs else self.stage.relative_keys.pass_log(name)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling up to this moment."""
        system_events = [
            event
            for system_state in self.system_states.values()
            for event in system_state.system.events(system_state.state)
        ]
        relative_key_events = self.stage.relative_keys.events(self.pass_log, self.time)
        return tuple(sorted([*relative_key_events, *self.earlier_events, *system_events], key=lambda event: event.time))

    @cached_property
    def poses(self) -> dict[str, Pose]:
        """Everybody's pose in the world, read-only."""
        return {name: pose[0].read_only() for name, pose in self.evaluator.all_poses().items()}

    def step(self) -> "Moment":
        """The moment one tick later."""
        tick_time = self.tick_time.next_tick
        mover_states = self._step_single_movers(tick_time) if self.stage.single_movers else {}
        system_states = self._step_systems(tick_time)
        for kind, names in self.stage.face_forward_names.items():
            for name in names:
                pose = system_states[kind].poses[name]
                mover_states[name] = update_mover_state(
                    self.stage.by_name[name], pose, tick_time.time, self.mover_states[name], tick_time.tick
                )
        pass_logs = dict(self.pass_logs)
        previous_poses = read_previous_poses(self.stage, self.evaluator) if self.stage.previous_reads else {}
        next_moment = Moment(
            self.stage,
            tick_time,
            MoverStates(mover_states, system_states.values()),
            system_states,
            pass_logs,
            previous_poses,
            self.earlier_events,
        )
        if pass_logs:
            self._advance_logs(next_moment, pass_logs)
        return next_moment

    def _step_single_movers(self, tick_time: TickTime) -> dict[str, MoverState]:
        """The movers that belong to no system, one tick later."""
        views, mover_states = MoverViews(self.stage, self.evaluator, self.time), dict[str, MoverState]()
        views.prepare()
        for name in self.stage.single_movers:
            actor, mover_state = self.stage.by_name[name], self.mover_states[name]
            state = call_mover(
                actor,
                tick_time.time,
                require_mover(actor).step,
                mover_state.mutable_state,
                views.view_of(actor),
                tick_time.tick,
            )
            mover_states[name] = build_mover_state(actor, state, tick_time.time, mover_state, tick_time.tick)
        return mover_states

    def advance_near(self, time: float) -> "Moment":
        """The last moment but one before a time [s], if there is a quick way to it; else this one."""
        ticks = self._ticks_until(time) - 1
        return self if self.stage.batch_kind is None or ticks < 2 else self._step_many(ticks)[1]

    def moments_around(self, time: float) -> "tuple[Moment, Moment]":
        """The first moment not before a time [s] and the one before it; this one and the next without a quick way."""
        ticks = self._ticks_until(time)
        return (self, self.step()) if self.stage.batch_kind is None or ticks < 2 else self._step_many(ticks)

    def _ticks_until(self, time: float) -> int:
        """How many ticks pass until a time [s] has come."""
        last = self.tick_time.last_tick_by(time)
        return (last if self.tick_time.at_tick(last).is_at_or_after(time) else last + 1) - self.tick_time.ticks

    def _step_many(self, ticks: int) -> "tuple[Moment, Moment]":
        """The last two moments of so many ticks, which the only company on the stage takes at once."""
        kind = self.stage.batch_kind
        assert kind is not None
        system, context = (
            cast(BatchSystem[Any], self.system_states[kind].system),
            build_step_context(self.stage, lambda: self.evaluator, self.time),
        )
        states = system.step_many(
            self.system_states[kind].state, context, self.tick_time.next_times(ticks), self.tick_time.tick
        )

        def moment_after(state: Any, number: int) -> Moment:
            tick_time = self.tick_time.at_tick(self.tick_time.ticks + number)
            system_states = {kind: SystemState.of(system, state, tick_time.time)}
            return Moment(
                self.stage,
                tick_time,
                MoverStates({}, system_states.values()),
                system_states,
                {},
                {},
                self.earlier_events,
            )

        return moment_after(states[0], ticks - 1), moment_after(states[1], ticks)

    def system_poses(self, kind: SystemKind, before: "Moment", time: float) -> Mapping[str, Pose]:
        """Where all of a company are at a time on the way from the moment before to this one, where they stand."""
        fraction = tick_fraction(before, self, time)
        if fraction in (0.0, 1.0):
            return (before if fraction == 0.0 else self).system_states[kind].poses
        return self.system_states[kind].interpolate_from(before.system_states[kind], fraction)

    def _step_systems(self, tick_time: TickTime) -> dict[SystemKind, SystemState]:
        """The companies one tick later."""
        context = build_step_context(self.stage, lambda: self.evaluator, self.time) if self.system_states else None
        return {
            kind: SystemState.of(
                system_state.system,
                system_state.system.step(system_state.state, context, tick_time.tick),
                tick_time.time,
            )
            for kind, system_state in self.system_states.items()
            if context is not None
        }

    def _advance_logs(self, next_moment: "Moment", pass_logs: dict[str, PassLog]) -> None:
        """Tell the stories on until the following moment, carriers being on their way in between."""
        stage = self.stage

        def evaluator(t: Floats) -> PoseEvaluator:
            return PoseEvaluator(
                stage,
                t,
                lambda mover: mover_poses_between(self, next_moment, mover, t),
                next_moment.pass_log,
                lambda step: previous_poses_between(self, next_moment, step, t),
            )

        times = np.append(self.time + SAMPLE_FRACTIONS * (next_moment.time - self.time), next_moment.time)
        for name in stage.relative_keys.live:
            log_times = sample_times(times, stage.relative_keys.corner_times(name)(self.time, next_moment.time))
            pass_logs[name] = advance_log(
                stage.relative_keys.relative_motion(name), pass_logs[name], log_times, pose_lookup(evaluator)
            )


def mover_poses_between(before: Moment, after: Moment, name: str, t: Floats) -> Pose:
    """A mover's poses at times (n,) from one tick to the next, where it stands."""
    return stack_poses(
        [mover_pose_at(before, after, name, tick_fraction(before, after, time), time) for time in t.tolist()]
    )


def mover_pose_at(before: Moment, after: Moment, name: str, fraction: float, time: float) -> Pose:
    """A mover's pose at a share of the way from one tick to the next, where it stands."""
    actor, one, two = after.stage.by_name[name], before.mover_states[name], after.mover_states[name]
    if actor.system_mover is None or fraction in (0.0, 1.0):
        return pose_between_ticks(actor, one, two, fraction, time)
    kind = actor.system_mover.system_kind
    return orient_between_ticks(
        actor,
        one,
        two,
        fraction,
        after.system_states[kind].interpolate_from(before.system_states[kind], fraction)[name],
    )


def read_previous_poses(stage: ResolvedStage, evaluator: PoseEvaluator) -> dict[PoseStep, Pose]:
    """What movers on a circle will read at the next tick, of how it is at this instant."""
    found = ((step, evaluator.pose_after(step)) for step in stage.previous_reads.values())
    return {step: Pose(pose_center(pose)[0], pose.orientation[0]) for step, pose in found}


def previous_pose_at(before: Moment, after: Moment, step: PoseStep, fraction: float) -> Pose:
    """What a mover on a circle reads of another at a share of the way from one tick to the next."""
    one, two = before.previous_poses[step], after.previous_poses[step]
    return one if fraction == 0.0 else two if fraction == 1.0 else lerp_pose(one, two, fraction)


def previous_poses_between(before: Moment, after: Moment, step: PoseStep, t: Floats) -> Pose:
    """What a mover on a circle reads of another at times (n,) from one tick to the next."""
    fractions = [tick_fraction(before, after, time) for time in t.tolist()]
    return stack_poses([previous_pose_at(before, after, step, fraction) for fraction in fractions])


def tick_fraction(before: Moment, after: Moment, time: float) -> float:
    """Which share of the way from one moment to the next is gone at a time; 0 and 1 a hair beside them too."""
    fraction = 1.0 if after is before else (time - before.time) / (after.time - before.time)
    return 1.0 if fraction > 1 - TICK_TOLERANCE else 0.0 if fraction < TICK_TOLERANCE else float(fraction)


def as_single_instant(pose: Pose) -> Pose:
    """One pose as poses of one instant."""
    return Pose(pose.position[None], pose.orientation[None])


def stack_poses(poses: Sequence[Pose]) -> Pose:
    """Single poses as those of as many instants."""
    return Pose(np.stack([pose.position for pose in poses]), np.stack([pose.orientation for pose in poses]))
