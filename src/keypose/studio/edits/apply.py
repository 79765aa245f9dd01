"""What does a gesture make of a scene? A new one, and a name for the step in animators' words: "move key 3 of red".

Edits are pure: a stage and a message give another stage, which shares all that was not touched. What cannot be done is
refused in a sentence, and the old stage is as it was.
"""

from collections.abc import Callable
from typing import Any

from keypose.errors import KeyposeError, short_repr
from keypose.stage import Stage
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
from keypose.studio.protocol import commands

EditResult = tuple[Stage, str]

EDITS: dict[type[commands.Edit], Callable[[Stage, Any], EditResult]] = {
    commands.MoveKeys: keys.move_keys,
    commands.TurnKeys: keys.turn_keys,
    commands.PlaceKeys: keys.place_keys,
    commands.FaceKeys: orientations.face_keys,
    commands.SetKeys: keys.set_keys,
    commands.ApplyEffect: keys.apply_effect,
    commands.DragTangent: tangents.drag_tangent,
    commands.BackToTcb: tangents.back_to_tcb,
    commands.InsertKey: key_order.insert_key,
    commands.DeleteKeys: key_order.delete_keys,
    commands.PasteKeys: key_order.paste_keys,
    commands.ShiftKey: key_order.shift_key,
    commands.MovePoints: drawings.move_points,
    commands.DrawPoints: drawings.draw_points,
    commands.SetPath: paths.set_path,
    commands.SetMotion: paths.set_motion,
    commands.SetSpeed: speeds.set_speed,
    commands.RaiseSpeed: speeds.raise_speed,
    commands.InsertSpeed: speeds.insert_speed,
    commands.DeleteSpeed: speeds.delete_speed,
    commands.NudgeKey: key_times.nudge_key,
    commands.TimeKey: key_times.time_key,
    commands.AddActor: cast.add_actor,
    commands.RemoveActor: cast.remove_actor,
    commands.RenameActor: cast.rename_actor,
    commands.SetActor: cast.set_actor,
    commands.DefineEffect: scenes.define_effect,
    commands.SetScene: scenes.set_scene,
    commands.AddField: fields.add_field,
    commands.RemoveField: fields.remove_field,
    commands.RenameField: fields.rename_field,
    commands.SetField: fields.set_field,
    commands.MoveField: field_transforms.move_field,
    commands.TurnField: field_transforms.turn_field,
    commands.StretchField: field_transforms.stretch_field,
    commands.PlaceField: field_transforms.place_field,
    commands.NameSensed: splines.name_sensed,
    commands.LinkActors: splines.link_actors,
    commands.SetSplines: splines.set_splines,
    commands.MoveSplines: splines.move_splines,
    commands.SetMovers: bodies.set_movers,
    commands.SetBodies: bodies.set_bodies,
    commands.SetJoints: figures.set_joints,
    commands.SetConnections: figures.set_connections,
    commands.RemoveBody: bodies.remove_body,
    commands.MoveBodies: bodies.move_bodies,
    commands.FaceBodies: bodies.face_bodies,
    commands.SetGravity: bodies.set_gravity,
    commands.AddMeeting: meetings.add_meeting,
    commands.SetMeeting: meetings.set_meeting,
    commands.SetGoal: meetings.set_goal,
    commands.ConnectMeetings: meetings.connect_meetings,
    commands.DisconnectMeetings: meetings.disconnect_meetings,
    commands.RemoveMeeting: meetings.remove_meeting,
}


SERVER_EDITS: dict[type[commands.Edit], Callable[[Stage, Any], EditResult]] = {
    line_fit.PointerLine: line_fit.keep_pointer,
    field_frames.ObservedFieldEdit: field_transforms.apply_observed_edit,
}
"""What the studio itself makes of what a page says."""


def apply_edit(stage: Stage, message: commands.Edit) -> EditResult:
    """The stage after an edit, and what to call the step."""
    edit = EDITS.get(type(message)) or SERVER_EDITS.get(type(message))
    if edit is None:
        raise KeyposeError(f"A scene cannot be edited by {short_repr(message)}. Give one of the messages that edit.")
    return edit(stage, message)
