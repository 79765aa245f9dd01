"""Whatever a page says that can be said at all is done or refused in a sentence, and what is done can be saved."""

import msgspec
import pytest

from keypose import KeyposeError
from keypose.document.scene import read
from keypose.studio.edits.apply import EDITS, apply_edit
from keypose.studio.protocol import commands
from tests.studio.scenes import body_stage, field_stage, figure_stage, meeting_stage, text

KEYS = {"actor": "red", "keys": [1]}
VALID_ARGUMENTS = {
    commands.MoveKeys: KEYS | {"by": [1, 0, 0], "time": 0.5},
    commands.TurnKeys: KEYS | {"by": [1, 0, 0, 0], "time": 0.5},
    commands.PlaceKeys: KEYS | {"to": [1, None, 0]},
    commands.FaceKeys: KEYS | {"degrees": [90, None, 0]},
    commands.DragTangent: {"actor": "red", "key": 1, "side": "both", "to": [1, 0, 0], "time": 0.5},
    commands.SetKeys: KEYS | {"changes": {"tension": 1}},
    commands.BackToTcb: {"actor": "flat", "keys": [1]},
    commands.ApplyEffect: KEYS | {"effect": "corner"},
    commands.InsertKey: {"actor": "red", "u": 0.5},
    commands.DeleteKeys: KEYS,
    commands.PasteKeys: {"actor": "red", "after": 1, "keys": [{"position": [0, 0, 0]}]},
    commands.ShiftKey: {"actor": "red", "key": 1, "to": 2},
    commands.MovePoints: {"actor": "sketch", "key": 1, "points": [0], "by": [1, 0, 0]},
    commands.DrawPoints: {"actor": "sketch", "key": 1, "places": [[0, 0, 0], [1, 1, 1]]},
    commands.SetPath: {"actor": "red", "changes": {"tension": 1}},
    commands.SetMotion: {"actor": "red", "changes": {"duration": 3}},
    commands.SetSpeed: {"actor": "red", "values": [1, 2]},
    commands.RaiseSpeed: {"actor": "red", "index": 1, "value": 2},
    commands.InsertSpeed: {"actor": "red", "x": 0.5, "value": 2},
    commands.DeleteSpeed: {"actor": "red", "index": 1},
    commands.NudgeKey: {"actor": "flat", "key": 1, "frames": 1, "fps": 24},
    commands.TimeKey: {"actor": "flat", "key": 1, "time": 0.5},
    commands.AddActor: {
        "actor": {"name": "x", "path": {"keys": [{"position": [0]}, {"position": [1]}]}, "duration": 1}
    },
    commands.RemoveActor: {"actor": "eye"},
    commands.RenameActor: {"actor": "red", "name": "blue"},
    commands.SetActor: {"actor": "red", "changes": {"look": "gold"}},
    commands.DefineEffect: {"name": "snap", "values": {"tension": 1}},
    commands.SetScene: {"scene": {"keypose": 1, "actors": []}},
    commands.AddField: {"name": "pull", "field": {"kind": "attractor", "strength": 2}},
    commands.RemoveField: {"field": "wind"},
    commands.RenameField: {"field": "wind", "name": "gale"},
    commands.SetField: {"field": "wind", "value": {"kind": "uniform", "vector": [0, 0, 1]}},
    commands.MoveField: {"field": "light", "by": [1, 0, 0], "time": 0.5, "digits": 2},
    commands.TurnField: {"field": "light", "by": [1, 0, 0, 0], "time": 0.5},
    commands.StretchField: {"field": "mix", "by": [1, 2, 1], "time": 0.5, "digits": 2},
    commands.PlaceField: {
        "field": "mix",
        "part": 1,
        "to": [1, None, 2],
        "degrees": [30, None, None],
        "stretch": [2, 1, 1],
    },
    commands.NameSensed: {"actor": "leaf", "field": {"kind": "keep_offset", "target": "red"}, "name": "follow"},
    commands.LinkActors: {"actors": ["leaf"], "field": {"kind": "spring", "stiffness": 2}, "affinity": 0.5},
    commands.SetSplines: {"actors": ["leaf", "letter"], "changes": {"friction": 0.5}},
    commands.MoveSplines: {"actors": ["leaf", "letter"], "by": [1, 0, 0], "digits": 2},
    commands.SetMovers: {"actors": ["red"], "changes": {"within": 0.5}, "unset": ["damping"]},
    commands.SetBodies: {"actors": ["red", "ball"], "changes": {"mass": 2}, "unset": ["bounce"]},
    commands.SetJoints: {"links": ["arm/hand"], "changes": {"damping": 2}, "unset": ["limits"]},
    commands.SetConnections: {"connections": [0, 1], "changes": {"damping": 2}, "unset": ["damping"]},
    commands.RemoveBody: {"actor": "train"},
    commands.MoveBodies: {"actors": ["ball", "wall"], "by": [1, 0, 0], "digits": 2},
    commands.FaceBodies: {"actors": ["ball"], "degrees": [90, None, 0]},
    commands.SetGravity: {"to": [0, -9.81, 0]},
    commands.AddMeeting: {"goals": {"red": 1.5, "blue": "arch"}, "name": "third", "after": ["first"]},
    commands.SetMeeting: {"meeting": "last", "changes": {"gate": True}},
    commands.SetGoal: {"meeting": "last", "actor": "red", "goal": {"key": 2}},
    commands.ConnectMeetings: {"meeting": "late", "after": "first"},
    commands.DisconnectMeetings: {"meeting": "last", "after": "first"},
    commands.RemoveMeeting: {"meeting": "first"},
}
BODY_COMMANDS = (
    commands.SetMovers,
    commands.SetBodies,
    commands.RemoveBody,
    commands.MoveBodies,
    commands.FaceBodies,
    commands.SetGravity,
)
MEETING_COMMANDS = (
    commands.AddMeeting,
    commands.SetMeeting,
    commands.SetGoal,
    commands.ConnectMeetings,
    commands.DisconnectMeetings,
    commands.RemoveMeeting,
)
FIGURE_COMMANDS = (commands.SetJoints, commands.SetConnections)
PATH_COMMANDS = (
    commands.MoveKeys,
    commands.TurnKeys,
    commands.PlaceKeys,
    commands.FaceKeys,
    commands.DragTangent,
    commands.SetKeys,
    commands.ApplyEffect,
    commands.InsertKey,
    commands.DeleteKeys,
    commands.PasteKeys,
    commands.ShiftKey,
    commands.SetPath,
)
NUMBERS = [0, -1, 1, 3, 4, 0.5, 1e-320, -0.0, 1e15, 1e99, 1e300, 2**53, 2**62]
JUNK = [*NUMBERS, *([n] for n in NUMBERS), *([n] * 3 for n in NUMBERS), *([n] * 4 for n in NUMBERS)]
JUNK += [None, True, "", "red", "table", "shade", "sketch", "\x00", "é" * 900, [], {}, [[]], [{}], [None], [0, 0, 0, 1]]
JUNK += [
    "wind",
    "near",
    ["leaf"],
    ["leaf", "leaf", "passenger"],
    ["leaf", "red"],
    [{"kind": "noise", "strength": 1}] * 2,
]
JUNK += [{"keys": []}, {"tension": None}, {"name": 5}, {"": 1}, {"kind": []}, {"position": []}, {"keys": None}]
OPTION_NAMES = [
    "tension",
    "name",
    "time",
    "position",
    "orientation",
    "arrive",
    "effect",
    "relative_to",
    "pin",
    "parent",
]
OPTION_NAMES += [
    "facing",
    "look",
    "closed",
    "ends",
    "timing",
    "duration",
    "start",
    "capture",
    "outside",
    "closing",
    "path",
]
OPTION_NAMES += ["kind", "then", "velocity", "friction", "senses", "continuity", "beta", "integrator", "basis"]
OPTION_NAMES += [
    "within",
    "eagerness",
    "damping",
    "correction",
    "speed",
    "turn_within",
    "shape",
    "mass",
    "bounce",
    "spin",
]
OPTION_NAMES += ["need", "of", "gate", "patience", "key", "turn", "blue"]
OPTION_NAMES += ["stiffness", "strength", "limits", "limit", "at", "to_at", "length", "help"]
NESTED_JUNK = [
    {word: value}
    for word in OPTION_NAMES
    for value in (None, 0, -1e300, "", "red", [], [1, 2], [[1]], {}, {"kind": "x"})
]


def command_with(kind, field, value):
    """A message with one word said otherwise, or None if no page can say that."""
    try:
        return msgspec.convert({"do": kind.__struct_config__.tag, "id": 1, **VALID_ARGUMENTS[kind], field: value}, kind)
    except msgspec.ValidationError:
        return None


def test_every_edit_command_is_covered():
    assert set(VALID_ARGUMENTS) == set(EDITS)


@pytest.mark.parametrize("kind", VALID_ARGUMENTS, ids=lambda kind: kind.__name__)
def test_junk_arguments_are_applied_or_refused(kind):
    stages = ((FIGURE_COMMANDS, figure_stage), (BODY_COMMANDS, body_stage), (MEETING_COMMANDS, meeting_stage))
    try_junk_values(kind, next((stage for kinds, stage in stages if kind in kinds), field_stage)())


@pytest.mark.parametrize("kind", PATH_COMMANDS, ids=lambda kind: kind.__name__)
def test_junk_arguments_for_follower_paths_are_applied_or_refused(kind):
    try_junk_values(kind, body_stage())


def try_junk_values(kind, stage):
    before, count = text(stage), 0
    apply_edit(stage, command_with(kind, "id", 1))
    for field in VALID_ARGUMENTS[kind]:
        for value in [*JUNK, *(NESTED_JUNK if isinstance(VALID_ARGUMENTS[kind][field], dict) else [])]:
            message = command_with(kind, field, value)
            if message is None:
                continue
            count += 1
            try:
                edited, label = apply_edit(stage, message)
            except KeyposeError:
                continue
            assert label
            assert text(read(text(edited))) == text(edited), message
    assert count > 5
    assert text(stage) == before
