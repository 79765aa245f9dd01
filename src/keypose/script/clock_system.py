"""Who keeps appointments without a body? Motions, each by a clock of its own: slower, or held, never backwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Plans, Played
from keypose.motion.system import Outlook, Surroundings
from keypose.motion.take import Event

TICK = 0.01  # [s]
NOBODY = np.empty(0)


@dataclass(frozen=True)
class Timed:
    """A motion that goes by a clock of its own, since somebody is to meet it."""

    played: Played
    system_kind: str = "clocks"
    """The system it steps in: that of the bodies if some of those have appointments too."""
    tick = TICK


class Clocks:
    """All motions of a stage that go by clocks of their own, where nobody with a body has appointments."""

    def __init__(self, members: Mapping[str, Timed], said: Surroundings) -> None:
        assert said.script is not None
        self._plan: Plans = said.script
        self._members = members
        self.watches: Mapping[str, tuple[str, ...]] = dict.fromkeys(members, ())

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return self.poses(self._plan.begun(0.0))

    def begin(self, outlook: Outlook) -> Any:
        """Everybody at the first moment."""
        return self._settled(self._plan.begun(outlook.time, outlook.kept), outlook.time)

    def gone_on(self, outlook: Outlook, before: "Clocks", state: Any) -> Any:
        """Who was there goes on as it was; who is new begins."""
        return self.begin(outlook)

    def _settled(self, kept: Any, time: float) -> Any:
        keeper = self._plan.keeper(kept)
        keeper.begin(NOBODY, time)
        keeper.set_out(NOBODY, np.zeros(len(keeper.goals[0])), np.zeros(0, np.bool_), time)
        return keeper.left()

    def step(self, state: Any, outlook: Outlook, dt: float) -> Any:
        """Everybody one tick later."""
        keeper, time = self._plan.keeper(state), outlook.time + dt
        keeper.let_pass(dt)
        keeper.look(NOBODY, time, dt)
        if keeper.is_due:
            keeper.regulate(NOBODY, NOBODY, np.zeros(len(keeper.goals[0])), time)
        return keeper.left()

    def poses(self, state: Any) -> Mapping[str, Pose]:
        """Where everybody is, each in the frame it stands in."""
        return self._at(self._plan.clocks(state))

    def between(self, before: Any, after: Any, share: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        first, last = self._plan.clocks(before), self._plan.clocks(after)
        return self._at(first + share * (last - first))

    def _at(self, clocks: Floats) -> Mapping[str, Pose]:
        timed = self._plan.timed.items()
        return {name: played.at(time) for (name, played), time in zip(timed, clocks.tolist(), strict=True)}

    def kept(self, state: Any) -> tuple[Plans, Any]:
        """The meetings there are, and how they were kept so far."""
        return self._plan, state

    @property
    def strands(self) -> Sequence[tuple[str, bool]]:
        """Whose clocks go on towards goals."""
        return self._plan.strands

    def eases(self, state: Any) -> Floats:
        """(strands,) how fast each clock goes."""
        return self._plan.eases(state)

    def progress(self, state: Any) -> Floats:
        """(strands,) what time it is by each clock [s]."""
        return self._plan.clocks(state)

    def events(self, state: Any) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return tuple(self._plan.events(state))
