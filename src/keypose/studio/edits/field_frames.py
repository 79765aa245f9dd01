"""Where is who carries a field while a hand holds it? Where the page sees it: in the film, or in its live run.

Who edits without a page plays the scene up to that moment to see the same; in a live run that would be somewhere else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.inputs import number
from keypose.motion.hierarchy import in_space, middle
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import played_to
from keypose.studio.preview.field_handles import Frame, members, of_some
from keypose.studio.preview.key_passing import takes_ticks
from keypose.studio.preview.preview import Film, filled
from keypose.studio.protocol import commands as say

ByHand = say.MoveField | say.TurnField | say.StretchField | say.PlaceField


class HeldField(say.Edit, frozen=True, kw_only=True):
    """What the studio makes of what a page does to a field by hand. Pages do not say it."""

    edit: ByHand
    seen: Any
    """Where those who carry it are on the page, by their names: (7,) each, place and w x y z."""


def held(message: ByHand, film: Film, time: float) -> HeldField:
    """What a page does to a field by hand, with what it sees in a film at a moment [s]."""
    moment = np.array([number(time, "The moment at which a field is held")])
    field, names = film.stage.fields.get(message.field), film.stage.names
    seen = {}
    for name in () if field is None else members(field.names, names):
        if name in film.stage.by_name:
            filled(row := np.empty(7), film.poses(name, moment), ())
            seen[name] = row
    return HeldField(id=message.id, gesture=message.gesture, edit=message, seen=seen)


def frame_seen(stage: Stage, seen: Mapping[str, Floats], time: float) -> Frame:
    """Where actors are as they were seen; if somebody was not, where they are at a moment [s]."""
    unseen = frame_at(stage, time)

    def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
        rows = [seen.get(name) for name in members(names, stage.names)]
        known = [row for row in rows if row is not None]
        return of_some(np.array(known).reshape(-1, 7)) if len(known) == len(rows) else unseen(names)

    return frame


def frame_at(stage: Stage, time: float) -> Frame:
    """Where actors are at a moment [s], and how they are turned; those who take ticks, as at their last tick."""
    moment = number(time, "The moment at which a field is held")

    def pose(name: str) -> Floats:
        now = played_to(stage, moment) if takes_ticks(stage, name) else stage.instants(np.array([moment]))
        found = now.pose(name)
        return np.concatenate([middle(in_space(found))[0], found.orientation[0]])

    return lambda names: of_some(np.array([pose(name) for name in members(names, stage.names)]).reshape(-1, 7))
