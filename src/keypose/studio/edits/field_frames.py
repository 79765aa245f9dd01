"""Where is who carries a field while a hand holds it? Where the page sees it: in the film, or in its live run.

Who edits without a page plays the scene up to that moment to see the same; in a live run that would be somewhere else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.maths import Floats, parse_number
from keypose.motion import pose_center, pose_to_3d
from keypose.stage import Stage
from keypose.studio.edits.key_frames import simulate_poses
from keypose.studio.preview.field_handles import FrameLookup, expand_groups, group_frame
from keypose.studio.preview.key_passes import is_simulated
from keypose.studio.preview.preview import Preview, write_pose_row
from keypose.studio.protocol import commands

FieldTransformEdit = commands.MoveField | commands.TurnField | commands.StretchField | commands.PlaceField


class ObservedFieldEdit(commands.Edit, frozen=True, kw_only=True):
    """What the studio makes of what a page does to a field by hand. Pages do not say it."""

    edit: FieldTransformEdit
    observed_poses: Any
    """Where those who carry it are on the page, by their names: (7,) each, place and w x y z."""


def observed_field_edit(message: FieldTransformEdit, preview: Preview, time: float) -> ObservedFieldEdit:
    """What a page does to a field by hand, with what it sees in a film at a moment [s]."""
    times = np.array([parse_number(time, "The moment at which a field is held")])
    field, names = preview.stage.fields.get(message.field), preview.stage.names
    observed_poses = {}
    for name in () if field is None else expand_groups(field.names, names):
        if name in preview.stage.resolved.by_name:
            write_pose_row(row := np.empty(7), preview.poses(name, times), ())
            observed_poses[name] = row
    return ObservedFieldEdit(id=message.id, gesture=message.gesture, edit=message, observed_poses=observed_poses)


def observed_frame(stage: Stage, observed_poses: Mapping[str, Floats], time: float) -> FrameLookup:
    """Where actors are as they were seen; if somebody was not, where they are at a moment [s]."""
    fallback = frame_at(stage, time)

    def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
        rows = [observed_poses.get(name) for name in expand_groups(names, stage.names)]
        known = [row for row in rows if row is not None]
        return group_frame(np.array(known).reshape(-1, 7)) if len(known) == len(rows) else fallback(names)

    return frame


def frame_at(stage: Stage, time: float) -> FrameLookup:
    """Where actors are at a moment [s], and how they are turned; those who take ticks, as at their last tick."""
    moment = parse_number(time, "The moment at which a field is held")

    def pose(name: str) -> Floats:
        evaluator = (
            simulate_poses(stage, moment)
            if is_simulated(stage.resolved, name)
            else stage.resolved.evaluator(np.array([moment]))
        )
        found = evaluator.pose(name)
        return np.concatenate([pose_center(pose_to_3d(found))[0], found.orientation[0]])

    return lambda names: group_frame(
        np.array([pose(name) for name in expand_groups(names, stage.names)]).reshape(-1, 7)
    )
