"""What does a page see of a live run? Everybody at one instant, and before it only what the run remembers."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np

from keypose.curves.relative.relative_path import Frames
from keypose.fields.sensing.observed_poses import Past
from keypose.fields.sensing.senses import Felt
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.physics.diagnostics.collisions import Hit
from keypose.stage.evaluate.poses import Instants
from keypose.stage.run.moment import Moment
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import key_frames_at
from keypose.studio.preview.collisions import MOST_HITS, hit_views
from keypose.studio.preview.key_passing import takes_ticks
from keypose.studio.preview.meetings import appointment_views
from keypose.studio.preview.preview import Film, filled
from keypose.studio.protocol.updates.bodies import HitView
from keypose.studio.protocol.updates.meetings import AppointmentView

NOBODY: Mapping[str, Floats] = MappingProxyType({})


class Glimpse(Film):
    """The film of one instant of a run, at a time [s] not after a moment of it; who is not in the run is nowhere."""

    def __init__(
        self, stage: Stage, moment: Moment, time: float, instant: Instants, targets: Mapping[str, Floats] = NOBODY
    ) -> None:
        super().__init__(stage)
        self._moment, self._time, self._instant, self._targets = moment, time, instant, targets

    @cached_property
    def hits(self) -> tuple[HitView, ...]:
        """Who has hit whom so far, of very many the last."""
        casts = self._moment.casts.values()
        told = [event for cast in casts for event in cast.company.events(cast.state) if event.time <= self._time]
        return hit_views([event for event in told if isinstance(event, Hit)][-MOST_HITS:])

    @cached_property
    def appointments(self) -> tuple[AppointmentView, ...]:
        """What has become of meetings so far."""
        casts = self._moment.casts.values()
        return appointment_views(
            event for cast in casts for event in cast.company.events(cast.state) if event.time <= self._time
        )

    @cached_property
    def key_frames(self) -> Mapping[str, Frames]:
        """In which frames carried keys of followers stand now."""
        return key_frames_at(self._moment)

    def targets(self, t: float) -> Mapping[str, Floats]:
        """Where those aim who race a target now."""
        return {name: place for name, place in self._targets.items() if name in self.stage.by_name}

    def poses(self, name: str, t: Floats) -> Pose | None:
        """Where one actor is in the run, at times (n,); before now as far as that is remembered, else None."""
        now = self._everybody.get(name)
        if now is None:
            return None
        if (t >= self._time).all():
            return Pose(np.repeat(now.position, len(t), 0), np.repeat(now.orientation, len(t), 0))
        if not takes_ticks(self._moment.stage, name):
            return self._moment.stage.instants(t).pose(name)
        past = self._past_of(name)
        if past is None:
            return None
        return past.and_now(self._time, middle(in_space(now)), now.orientation).at(0, t)

    def remembers(self, names: Iterable[str]) -> bool:
        """Whether it knows where all of these were: who takes ticks is remembered where others sense it late."""
        stage = self._moment.stage
        return all(
            name not in stage.by_name or not takes_ticks(stage, name) or self._past_of(name) is not None
            for name in names
        )

    def _past_of(self, name: str) -> Past | None:
        """Where one who takes ticks was at the last of them."""
        for cast in self._moment.casts.values():
            felt = getattr(cast.state, "felt", None)
            if isinstance(felt, Felt) and name in felt.remembered:
                column, past = felt.remembered.index(name), felt.past
                return Past(past.times, past.place[:, [column]], past.turn[:, [column]])
        return None

    def everybody(self, t: float) -> tuple[Floats, list[Floats]]:
        """Where all are now: (actors, 7), place and w x y z, in the document's order; and drawings' points."""
        rows, points = np.empty((len(self.stage.names), 7)), list[Floats]()
        for row, name in zip(rows, self.stage.names, strict=True):
            points += filled(row, self._everybody.get(name), self.shape(name))
        return rows, points

    @cached_property
    def _everybody(self) -> dict[str, Pose]:
        return self._instant.everybody()
