"""Who keeps appointments without a body? Motions, each by a clock of its own: slower, or held, never backwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.maths import Floats
from keypose.motion import Distances, Event, Pose, StepContext, SyncPlanProtocol, SystemContext, TimedMotion

TICK = 0.01  # [s]
NO_TARGETS = np.empty(0)


@dataclass(frozen=True)
class ClockedMotion:
    """A motion that goes by a clock of its own, since somebody is to meet it."""

    timed_motion: TimedMotion
    system_kind: str = "clocks"
    """The system it steps in: that of the bodies if some of those have appointments too."""
    tick = TICK


class ClockSystem:
    """All motions of a stage that go by clocks of their own, where nobody with a body has appointments."""

    def __init__(self, movers: Mapping[str, ClockedMotion], context: SystemContext) -> None:
        assert context.script is not None
        self._plan: SyncPlanProtocol = context.script
        self._movers = movers
        self.watches: Mapping[str, tuple[str, ...]] = dict.fromkeys(movers, ())
        self.freezes_state = True

    def initial_poses(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return self.poses(self._plan.initial_state(0.0))

    def begin(self, context: StepContext) -> Any:
        """Everybody at the first moment."""
        return self._begin_sync(self._plan.initial_state(context.time, context.previous_sync), context.time)

    def resume(self, context: StepContext, previous: "ClockSystem", state: Any) -> Any:
        """Who was there goes on as it was; who is new begins."""
        return self.begin(context)

    def _begin_sync(self, state: Any, time: float) -> Any:
        synchronizer = self._plan.synchronizer(state)
        synchronizer.begin(NO_TARGETS, time)
        distance_left = np.zeros(len(synchronizer.graph.goals))
        synchronizer.set_initial_speeds(NO_TARGETS, distance_left, np.zeros(0, np.bool_), time)
        return synchronizer.freeze()

    def step(self, state: Any, context: StepContext, dt: float) -> Any:
        """Everybody one tick later."""
        synchronizer, time = self._plan.synchronizer(state), context.time + dt
        synchronizer.advance_clock(dt)
        synchronizer.update(NO_TARGETS, time, dt)
        if synchronizer.is_due:
            synchronizer.regulate(NO_TARGETS, Distances(NO_TARGETS, np.zeros(len(synchronizer.graph.goals))), time)
        return synchronizer.freeze()

    def poses(self, state: Any) -> Mapping[str, Pose]:
        """Where everybody is, each in the frame it stands in."""
        return self._poses_at(self._plan.clock_times(state))

    def between(self, before: Any, after: Any, fraction: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        first, last = self._plan.clock_times(before), self._plan.clock_times(after)
        return self._poses_at(first + fraction * (last - first))

    def _poses_at(self, clock_times: Floats) -> Mapping[str, Pose]:
        clocked_motions = self._plan.clocked_motions.items()
        return {
            name: motion.at(time) for (name, motion), time in zip(clocked_motions, clock_times.tolist(), strict=True)
        }

    def sync_state(self, state: Any) -> tuple[SyncPlanProtocol, Any]:
        """The meetings there are, and how they were kept so far."""
        return self._plan, state

    @property
    def channels(self) -> Sequence[tuple[str, bool]]:
        """Whose clocks go on towards goals."""
        return self._plan.channels

    def speed_factors(self, state: Any) -> Floats:
        """(channels,) the rate of each clock."""
        return self._plan.speed_factors(state)

    def progress(self, state: Any) -> Floats:
        """(channels,) the time of each clock [s]."""
        return self._plan.clock_times(state)

    def events(self, state: Any) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return tuple(self._plan.events(state))
