"""What do fields do to bodies? Who senses them is pushed by mass · Σ affinity · field, worked out once for a tick."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats, Ints
from keypose.motion.pose import Pose
from keypose.motion.sensing_protocol import Moving, Sensers, Sensing
from keypose.motion.system import Outlook, Surroundings
from keypose.motion.take import Event
from keypose.physics.values.figure import Weighty
from keypose.physics.values.movers import TICK, Free, not_a_skin
from keypose.physics.values.soft_surface import Skins

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


@dataclass(frozen=True, eq=False)
class Feeling:
    """What those of some bodies feel who sense fields."""

    sensing: Sensing[Any]
    rows: Ints
    """Which of the moving bodies sense."""
    moving: int
    """How many bodies move that no motion moves; they are the first of all."""
    still: Mapping[str, Pose]
    outside: tuple[str, ...]
    """Who is no body of this company, and whom fields speak of."""

    @classmethod
    def of(
        cls, members: Mapping[str, Weighty], moving: Sequence[str], still: Mapping[str, Pose], said: Surroundings
    ) -> "Feeling | None":
        """What these bodies feel, of whom these move; None if nobody senses anything."""
        senses = {name: found for name in moving if (found := getattr(members[name], "senses", None))}
        if not senses:
            return None
        if said.sensing is None:
            raise KeyposeError(
                f"Actor {next(iter(senses))!r} senses fields, and there are none here. Put it on a stage."
            )
        rows = {name: row for row, name in enumerate(moving)}
        loose = {name: TICK for name in senses if isinstance(members[name], Free)}
        beside = _without_skins(senses, Skins(members).parts, said)
        sensing = said.sensing(Sensers(senses, rows, members, loose), beside)
        watched = dict.fromkeys(name for names in sensing.watches.values() for name in names)
        return cls(sensing, np.array([rows[name] for name in senses]), len(moving), still, tuple(watched))

    def begun(self, engine: "Engine", outlook: Outlook) -> Any:
        """What is remembered at first."""
        return self.sensing.begin(self._seen(engine), self._with_still(outlook))

    def gone_on(self, engine: "Engine", outlook: Outlook, before: "Feeling | None", state: Any) -> Any:
        """What is remembered where bodies felt other things before, or nothing at all."""
        if before is None:
            return self.begun(engine, outlook)
        return self.sensing.gone_on(self._seen(engine), self._with_still(outlook), before.sensing, state)

    def sights(self, outlook: Outlook, times: Floats) -> list[Outlook]:
        """What is seen at each of some ticks (n,), of which the first is that of the outlook."""
        if len(times) == 1:
            return [self._with_still(outlook)]
        poses = {name: pose for name in self.outside if (pose := outlook.past(name, times)) is not None}

        def seen(number: int, time: float) -> Outlook:
            return self._with_still(replace(outlook, time=time, pose=lambda name: poses[name][number]))

        return [seen(number, time) for number, time in enumerate(times.tolist())]

    def felt(self, engine: "Engine", state: Any, sight: Outlook, dt: float) -> tuple[Floats, Any]:
        """What pushes those who sense in a tick of `dt` seconds (n, 3) [N], and what is remembered after it."""
        pushed, after = self.sensing.felt(state, self._seen(engine), sight, dt)
        return engine.mass[self.rows, None] * pushed[self.rows], after

    def push(self, engine: "Engine", felt: Floats) -> None:
        """Push those who sense, beside what else pulls them."""
        engine.force[self.rows, :3] += felt

    def let_go(self, engine: "Engine") -> None:
        """Forget what pushed those who sense: a force lasts until it is said anew."""
        engine.force[self.rows, :3] = 0.0

    def events(self, state: Any) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self.sensing.events(state)

    def _seen(self, engine: "Engine") -> Moving:
        place, going = engine.place[: self.moving], engine.going[: self.moving]
        return Moving(place[:, :3].copy(), place[:, 3:].copy(), going[:, :3].copy())

    def _with_still(self, outlook: Outlook) -> Outlook:
        return replace(outlook, pose=lambda name: self.still[name] if name in self.still else outlook.pose(name))


def _without_skins(
    senses: Mapping[str, Mapping[Any, float]], skins: Collection[str], said: Surroundings
) -> Surroundings:
    """What is said beside surfaces of soft bodies: nobody senses those, and groups are of the bodies alone."""
    for who, sensed in senses.items():
        for one in sensed:
            field = said.fields.get(one) if isinstance(one, str) else one
            for name in getattr(field, "names", ()):
                not_a_skin(name, skins, f"Actor {who!r} senses a field of")
    return replace(said, names=tuple(name for name in said.names if name not in skins)) if skins else said
