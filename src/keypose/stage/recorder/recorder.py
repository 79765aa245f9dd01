"""What of a performance is on film? Of movers, frame by frame on the way between two ticks; of all others nothing yet.

Those are functions of time and of what movers did, and are asked for all frames at once.
"""

from collections.abc import Mapping

from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.motion.system import Strider
from keypose.motion.take import Event, Take
from keypose.stage.evaluate.dependencies import Step
from keypose.stage.evaluate.poses import Instants
from keypose.stage.recorder.script_report import goings_at, performed
from keypose.stage.recorder.targets import aims_at, filmed_aims
from keypose.stage.run.moment import Moment, late_on_the_way, share_of_way, taken_at, together
from keypose.stage.stage import Stage


class Recorder:
    """What movers of a stage did, as far as it has been seen."""

    def __init__(self, stage: Stage) -> None:
        self._stage, self._filmed = stage, stage.striding
        self._frames: dict[str, list[Pose]] = {name: [] for name in (() if self._filmed else stage.movers)}
        self._films: list[Mapping[str, Pose]] = []
        self._late: dict[Step, list[Pose]] = {step: [] for step in stage.late.values()}
        self._aims: list[list[tuple[tuple[str, ...], Floats]]] = []
        self.goings: list[Floats] = []
        """(2, strands) of every frame: the eases of those who keep appointments, and where they are."""

    def record(self, before: Moment, after: Moment, time: float) -> None:
        """One frame, at `time` on the way from one tick to the next."""
        share = share_of_way(before, after, time)
        for name, taken in self._frames.items():
            taken.append(taken_at(before, after, name, share, time))
        for step, read in self._late.items():
            read.append(late_on_the_way(before, after, step, share))
        if self._filmed is not None:
            self._films.append(after.company_at(self._filmed, before, time))
        self._aims.append(aims_at(before, after, time))
        self.goings.append(goings_at(before, after, time))

    def take(self, times: Floats, fps: float, last: Moment, untold: tuple[Event, ...]) -> Take:
        """The take of all frames, at these times, up to the last moment; `untold` is told beside the rest."""
        stage = self._stage
        poses = {name: together(taken) for name, taken in self._frames.items()}
        company = None if self._filmed is None else stage.companies[self._filmed]
        if isinstance(company, Strider):
            poses |= company.filmed(self._films)
        late = {step: together(read) for step, read in self._late.items()}
        everybody = Instants(stage, times, poses.__getitem__, last.story, late.__getitem__).everybody()
        targets, events = filmed_aims(self._aims), (*last.events, *untold)
        return Take(times, fps, everybody, events, targets, performed(stage, times, self.goings, targets, events))
