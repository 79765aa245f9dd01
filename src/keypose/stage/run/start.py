"""How does it begin? Movers begin one after another, each after those it begins by looking at.

Who that is shows when it looks: then it waits, those begin first, and it begins again.
"""

from collections.abc import Mapping

import numpy as np

from keypose.errors import KeyposeError
from keypose.motion import LookAt, PassLog, Pose, SystemKind, advance_log
from keypose.stage.evaluate.dependencies import PoseStep, topological_order
from keypose.stage.evaluate.poses import PoseEvaluator
from keypose.stage.resolved_stage import ResolvedStage
from keypose.stage.run.moment import Moment, as_single_instant, read_previous_poses
from keypose.stage.run.mover_state import MoverState, build_mover_state, call_mover, require_mover, update_mover_state
from keypose.stage.run.mover_view import MoverViews
from keypose.stage.run.system_state import SystemState, build_step_context, find_sync_state
from keypose.stage.run.tick_time import TickTime


class _NotStartedError(BaseException):
    """Somebody was looked at who has not begun yet; no mover shall catch it by accident."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Initializer:
    """Who has begun so far, at one moment."""

    def __init__(
        self,
        stage: ResolvedStage,
        tick_time: TickTime,
        mover_states: Mapping[str, MoverState],
        pass_logs: Mapping[str, PassLog],
        previous_poses: Mapping[PoseStep, Pose],
        system_states: Mapping[SystemKind, SystemState],
    ) -> None:
        self.stage = stage
        self.previous_systems = system_states
        self.system_states: dict[SystemKind, SystemState] = {}
        self.initial_poses = {
            name: pose for system in stage.systems.values() for name, pose in system.initial_poses().items()
        }
        clocked = {} if stage.sync_plan is None else stage.sync_plan.clocked_motions
        self.initial_poses |= {name: timed_motion.at(tick_time.time) for name, timed_motion in clocked.items()}
        self.time = tick_time.time
        self.mover_states = dict(mover_states)
        self.pass_logs = dict(pass_logs)
        self.previous_poses = previous_poses
        self.evaluator = PoseEvaluator(
            stage, np.array([tick_time.time]), self._mover_pose, self._pass_log, self._previous_pose
        )
        self.views = MoverViews(stage, self.evaluator, tick_time.time)

    def begin_all(self) -> None:
        """Let everybody begin, in an order that leaves little waiting."""
        for first in topological_order(self.stage.names, self._dependencies, lambda _: None):
            stack = [first]
            while stack:  # not by recursion: rings may be longer than Python's stack
                try:
                    self._begin(stack[-1])
                    stack.pop()
                except _NotStartedError as error:
                    if error.name in stack:
                        raise self._cycle_error(stack[stack.index(error.name) :]) from None
                    stack.append(error.name)

    def _begin(self, name: str) -> None:
        actor = self.stage.by_name[name]
        if actor.system_mover is not None:
            self._begin_system(actor.system_mover.system_kind)
        elif actor.mover is not None and name not in self.mover_states:
            state = call_mover(actor, self.time, require_mover(actor).begin, self.views.view_of(actor))
            self.mover_states[name] = build_mover_state(actor, state, self.time)
        elif name in self.stage.relative_keys.live and name not in self.pass_logs:
            relative_motion = self.stage.relative_keys.relative_motion(name)
            self.pass_logs[name] = advance_log(
                relative_motion,
                relative_motion.empty_log,
                np.array([self.time]),
                lambda name, _: self.evaluator.pose(name),
            )

    def _begin_system(self, kind: SystemKind) -> None:
        """Let a company begin, or go on as another one that some have left or joined."""
        if kind in self.system_states:
            return
        system, before = self.stage.systems[kind], self.previous_systems.get(kind)
        context = build_step_context(
            self.stage, lambda: self.evaluator, self.time, find_sync_state(self.previous_systems.values())
        )
        state = system.begin(context) if before is None else system.resume(context, before.system, before.state)
        self.system_states[kind] = system_state = SystemState.of(system, state, self.time)
        for name, pose in system_state.poses.items():
            self.mover_states[name] = update_mover_state(
                self.stage.by_name[name], pose, self.time, self.mover_states.get(name)
            )

    def _mover_pose(self, name: str) -> Pose:
        if name in self.mover_states:
            return as_single_instant(self.mover_states[name].pose)
        if name in self.initial_poses:
            return as_single_instant(self.initial_poses[name])
        raise _NotStartedError(name)

    def _pass_log(self, name: str) -> PassLog:
        if name in self.pass_logs:
            return self.pass_logs[name]
        if name in self.stage.relative_keys.live:
            raise _NotStartedError(name)
        return self.stage.relative_keys.pass_log(name)

    def _previous_pose(self, step: PoseStep) -> Pose | None:
        return as_single_instant(self.previous_poses[step]) if step in self.previous_poses else None

    def _dependencies(self, name: str) -> list[str]:
        """Everybody whose pose may be asked for when an actor begins."""
        actor = self.stage.by_name[name]
        watched = self.stage.watches.get(name, ())
        look_targets = [actor.facing.name] if isinstance(actor.facing, LookAt) else []
        return [*watched, *([] if actor.parent is None else [actor.parent]), *look_targets, *actor.carriers]

    def _cycle_error(self, cycle: list[str]) -> KeyposeError:
        names = [name for name in cycle if self.stage.by_name[name].mover is not None]
        if len(names) == 1:
            return KeyposeError(
                f"Mover {names[0]!r} begins by looking at somebody who stands on it or is carried by it. "
                "It must begin on its own."
            )
        chain = " → ".join([*names, names[0]])
        return KeyposeError(f"These movers begin by looking at each other: {chain}. One must begin on its own.")


def initial_moment(
    stage: ResolvedStage,
    tick_time: TickTime,
    mover_states: Mapping[str, MoverState] | None = None,
    pass_logs: Mapping[str, PassLog] | None = None,
    previous_poses: Mapping[PoseStep, Pose] | None = None,
    system_states: Mapping[SystemKind, SystemState] | None = None,
) -> Moment:
    """The moment at which all movers begin that have no track yet, and all stories that were not told yet.

    Where movers on a circle read the last tick and there was none, they read how everybody would be if each of them
    stood in the world by itself.
    """
    known_poses = dict(previous_poses or {})
    if any(step not in known_poses for step in stage.previous_reads.values()):
        without_parents = _Initializer(
            stage, tick_time, mover_states or {}, pass_logs or {}, known_poses, system_states or {}
        )
        without_parents.begin_all()
        known_poses = {**read_previous_poses(stage, without_parents.evaluator), **known_poses}
    initializer = _Initializer(stage, tick_time, mover_states or {}, pass_logs or {}, known_poses, system_states or {})
    if stage.movers:
        initializer.begin_all()
    states = {name: initializer.mover_states[name] for name in stage.movers}
    return Moment(stage, tick_time, states, initializer.system_states, initializer.pass_logs, known_poses)
