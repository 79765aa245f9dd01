"""What does a gesture make of a scene? A new one, and a name for the step in animators' words: "move key 3 of red".

Edits are pure: a stage and a message give another stage, which shares all that was not touched. What cannot be done is
refused in a sentence, and the old stage is as it was.
"""

from collections.abc import Callable
from typing import Any

from keypose.errors import KeyposeError, shown
from keypose.stage.stage import Stage
from keypose.studio.edits import (
    bodies,
    cast,
    drawings,
    field_frames,
    field_transforms,
    fields,
    figures,
    key_order,
    key_times,
    keys,
    line_fit,
    meetings,
    orientations,
    paths,
    scenes,
    speeds,
    splines,
    tangents,
)
from keypose.studio.protocol import commands as say

Edited = tuple[Stage, str]

EDITS: dict[type[say.Edit], Callable[[Stage, Any], Edited]] = {
    say.MoveKeys: keys.moved,
    say.TurnKeys: keys.turned,
    say.PlaceKeys: keys.placed,
    say.FaceKeys: orientations.faced,
    say.SetKeys: keys.said,
    say.ApplyEffect: keys.effected,
    say.DragTangent: tangents.dragged,
    say.BackToTcb: tangents.back_to_tcb,
    say.InsertKey: key_order.inserted,
    say.DeleteKeys: key_order.deleted,
    say.PasteKeys: key_order.pasted,
    say.ShiftKey: key_order.shifted,
    say.MovePoints: drawings.points_moved,
    say.DrawPoints: drawings.drawn,
    say.SetPath: paths.path_said,
    say.SetMotion: paths.motion_said,
    say.SetSpeed: speeds.drawn,
    say.RaiseSpeed: speeds.raised,
    say.InsertSpeed: speeds.inserted,
    say.DeleteSpeed: speeds.deleted,
    say.NudgeKey: key_times.nudged,
    say.TimeKey: key_times.timed,
    say.AddActor: cast.added,
    say.RemoveActor: cast.removed,
    say.RenameActor: cast.renamed,
    say.SetActor: cast.said,
    say.DefineEffect: scenes.effect_defined,
    say.SetScene: scenes.replaced,
    say.AddField: fields.added,
    say.RemoveField: fields.removed,
    say.RenameField: fields.renamed,
    say.SetField: fields.said,
    say.MoveField: field_transforms.moved,
    say.TurnField: field_transforms.turned,
    say.StretchField: field_transforms.stretched,
    say.PlaceField: field_transforms.put,
    say.NameSensed: splines.named,
    say.LinkActors: splines.linked,
    say.SetSplines: splines.said,
    say.MoveSplines: splines.moved,
    say.SetMovers: bodies.mover_said,
    say.SetBodies: bodies.body_said,
    say.SetJoints: figures.joint_said,
    say.SetConnections: figures.connection_said,
    say.RemoveBody: bodies.body_removed,
    say.MoveBodies: bodies.moved,
    say.FaceBodies: bodies.faced,
    say.SetGravity: bodies.falling,
    say.AddMeeting: meetings.added,
    say.SetMeeting: meetings.said,
    say.SetGoal: meetings.goal_said,
    say.ConnectMeetings: meetings.connected,
    say.DisconnectMeetings: meetings.disconnected,
    say.RemoveMeeting: meetings.removed,
}


OF_THE_STUDIO: dict[type[say.Edit], Callable[[Stage, Any], Edited]] = {
    line_fit.DrawnLine: line_fit.kept,
    field_frames.HeldField: field_transforms.held,
}
"""What the studio itself makes of what a page says."""


def edited(stage: Stage, message: say.Edit) -> Edited:
    """The stage after an edit, and what to call the step."""
    edit = EDITS.get(type(message)) or OF_THE_STUDIO.get(type(message))
    if edit is None:
        raise KeyposeError(f"A scene cannot be edited by {shown(message)}. Give one of the messages that edit.")
    return edit(stage, message)
