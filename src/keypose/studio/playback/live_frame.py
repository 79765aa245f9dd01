"""What does a page see of a live run? Everybody at one instant, and before it only what the run remembers."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np

from keypose.curves import CarrierFrames
from keypose.fields import FieldState, PoseHistory
from keypose.maths import Floats
from keypose.motion import CollisionEvent, Pose, pose_center, pose_to_3d
from keypose.stage import Moment, PoseEvaluator, Stage
from keypose.studio.edits.key_frames import carrier_frames_at
from keypose.studio.preview.collisions import MAX_COLLISIONS, collision_views
from keypose.studio.preview.key_passes import is_simulated
from keypose.studio.preview.meetings import meeting_event_views
from keypose.studio.preview.preview import Preview, write_pose_row
from keypose.studio.protocol.updates.bodies import CollisionView
from keypose.studio.protocol.updates.meetings import MeetingEventView

NO_TARGETS: Mapping[str, Floats] = MappingProxyType({})


class LiveFrame(Preview):
    """The film of one instant of a run, at a time [s] not after a moment of it; who is not in the run is nowhere."""

    def __init__(
        self,
        stage: Stage,
        moment: Moment,
        time: float,
        evaluator: PoseEvaluator,
        targets: Mapping[str, Floats] = NO_TARGETS,
    ) -> None:
        super().__init__(stage)
        self._moment, self._time, self._evaluator, self._targets = moment, time, evaluator, targets

    @cached_property
    def collisions(self) -> tuple[CollisionView, ...]:
        """Who has hit whom so far, of very many the last."""
        system_states = self._moment.system_states.values()
        events = [
            event
            for system_state in system_states
            for event in system_state.system.events(system_state.state)
            if event.time <= self._time
        ]
        return collision_views([event for event in events if isinstance(event, CollisionEvent)][-MAX_COLLISIONS:])

    @cached_property
    def meeting_events(self) -> tuple[MeetingEventView, ...]:
        """What has become of meetings so far."""
        system_states = self._moment.system_states.values()
        return meeting_event_views(
            event
            for system_state in system_states
            for event in system_state.system.events(system_state.state)
            if event.time <= self._time
        )

    @cached_property
    def carrier_frames(self) -> Mapping[str, CarrierFrames]:
        """In which frames carried keys of followers stand now."""
        return carrier_frames_at(self._moment)

    def targets(self, t: float) -> Mapping[str, Floats]:
        """Where those aim who race a target now."""
        return {name: position for name, position in self._targets.items() if name in self.stage.resolved.by_name}

    def poses(self, name: str, t: Floats) -> Pose | None:
        """Where one actor is in the run, at times (n,); before now as far as that is remembered, else None."""
        now = self._current_poses.get(name)
        if now is None:
            return None
        if (t >= self._time).all():
            return Pose(np.repeat(now.position, len(t), 0), np.repeat(now.orientation, len(t), 0))
        if not is_simulated(self._moment.stage, name):
            return self._moment.stage.evaluator(t).pose(name)
        history = self._pose_history(name)
        if history is None:
            return None
        return history.with_tick(self._time, pose_center(pose_to_3d(now)), now.orientation).at(0, t)

    def has_history(self, names: Iterable[str]) -> bool:
        """Whether it knows where all of these were: who takes ticks is remembered where others sense it late."""
        stage = self._moment.stage
        return all(
            name not in stage.by_name or not is_simulated(stage, name) or self._pose_history(name) is not None
            for name in names
        )

    def _pose_history(self, name: str) -> PoseHistory | None:
        """Where one who takes ticks was at the last of them."""
        for system_state in self._moment.system_states.values():
            field_state = getattr(system_state.state, "fields", None)
            if isinstance(field_state, FieldState) and name in field_state.delayed_carriers:
                column, history = field_state.delayed_carriers.index(name), field_state.pose_history
                return PoseHistory(history.times, history.positions[:, [column]], history.orientations[:, [column]])
        return None

    def all_poses(self, t: float) -> tuple[Floats, list[Floats]]:
        """Where all are now: (actors, 7), place and w x y z, in the document's order; and drawings' points."""
        rows, points = np.empty((len(self.stage.names), 7)), list[Floats]()
        for row, name in zip(rows, self.stage.names, strict=True):
            points += write_pose_row(row, self._current_poses.get(name), self.shape(name))
        return rows, points

    @cached_property
    def _current_poses(self) -> dict[str, Pose]:
        return self._evaluator.all_poses()
