"""Whatever a page says that can be said at all is done or refused in a sentence, and what is done can be saved."""

import msgspec
import pytest

from keypose import KeyposeError
from keypose.document.scene import read
from keypose.studio.edits import EDITS, edited
from keypose.studio.protocol import commands as say
from tests.studio.scenes import gym, met, text, weighty, windy

KEYS = {"actor": "red", "keys": [1]}
GOOD = {
    say.MoveKeys: KEYS | {"by": [1, 0, 0], "time": 0.5},
    say.TurnKeys: KEYS | {"by": [1, 0, 0, 0], "time": 0.5},
    say.PlaceKeys: KEYS | {"to": [1, None, 0]},
    say.FaceKeys: KEYS | {"degrees": [90, None, 0]},
    say.DragTangent: {"actor": "red", "key": 1, "side": "both", "to": [1, 0, 0], "time": 0.5},
    say.SetKeys: KEYS | {"changes": {"tension": 1}},
    say.BackToTcb: {"actor": "flat", "keys": [1]},
    say.ApplyEffect: KEYS | {"effect": "corner"},
    say.InsertKey: {"actor": "red", "u": 0.5},
    say.DeleteKeys: KEYS,
    say.PasteKeys: {"actor": "red", "after": 1, "keys": [{"position": [0, 0, 0]}]},
    say.ShiftKey: {"actor": "red", "key": 1, "to": 2},
    say.MovePoints: {"actor": "sketch", "key": 1, "points": [0], "by": [1, 0, 0]},
    say.DrawPoints: {"actor": "sketch", "key": 1, "places": [[0, 0, 0], [1, 1, 1]]},
    say.SetPath: {"actor": "red", "changes": {"tension": 1}},
    say.SetMotion: {"actor": "red", "changes": {"duration": 3}},
    say.SetSpeed: {"actor": "red", "values": [1, 2]},
    say.RaiseSpeed: {"actor": "red", "index": 1, "value": 2},
    say.InsertSpeed: {"actor": "red", "x": 0.5, "value": 2},
    say.DeleteSpeed: {"actor": "red", "index": 1},
    say.NudgeKey: {"actor": "flat", "key": 1, "frames": 1, "fps": 24},
    say.TimeKey: {"actor": "flat", "key": 1, "time": 0.5},
    say.AddActor: {"actor": {"name": "x", "path": {"keys": [{"position": [0]}, {"position": [1]}]}, "duration": 1}},
    say.RemoveActor: {"actor": "eye"},
    say.RenameActor: {"actor": "red", "name": "blue"},
    say.SetActor: {"actor": "red", "changes": {"look": "gold"}},
    say.DefineEffect: {"name": "snap", "values": {"tension": 1}},
    say.SetScene: {"scene": {"keypose": 1, "actors": []}},
    say.AddField: {"name": "pull", "field": {"kind": "attractor", "strength": 2}},
    say.RemoveField: {"field": "wind"},
    say.RenameField: {"field": "wind", "name": "gale"},
    say.SetField: {"field": "wind", "said": {"kind": "uniform", "vector": [0, 0, 1]}},
    say.MoveField: {"field": "light", "by": [1, 0, 0], "time": 0.5, "digits": 2},
    say.TurnField: {"field": "light", "by": [1, 0, 0, 0], "time": 0.5},
    say.StretchField: {"field": "mix", "by": [1, 2, 1], "time": 0.5, "digits": 2},
    say.PlaceField: {"field": "mix", "part": 1, "to": [1, None, 2], "degrees": [30, None, None], "stretch": [2, 1, 1]},
    say.NameSensed: {"actor": "leaf", "field": {"kind": "keep_offset", "target": "red"}, "name": "follow"},
    say.LinkActors: {"actors": ["leaf"], "field": {"kind": "spring", "stiffness": 2}, "affinity": 0.5},
    say.SetSplines: {"actors": ["leaf", "letter"], "changes": {"friction": 0.5}},
    say.MoveSplines: {"actors": ["leaf", "letter"], "by": [1, 0, 0], "digits": 2},
    say.SetMovers: {"actors": ["red"], "changes": {"within": 0.5}, "unsaid": ["damping"]},
    say.SetBodies: {"actors": ["red", "ball"], "changes": {"mass": 2}, "unsaid": ["bounce"]},
    say.SetJoints: {"links": ["arm/hand"], "changes": {"damping": 2}, "unsaid": ["limits"]},
    say.SetConnections: {"connections": [0, 1], "changes": {"damping": 2}, "unsaid": ["damping"]},
    say.RemoveBody: {"actor": "train"},
    say.MoveBodies: {"actors": ["ball", "wall"], "by": [1, 0, 0], "digits": 2},
    say.FaceBodies: {"actors": ["ball"], "degrees": [90, None, 0]},
    say.SetGravity: {"to": [0, -9.81, 0]},
    say.AddMeeting: {"goals": {"red": 1.5, "blue": "arch"}, "name": "third", "after": ["first"]},
    say.SetMeeting: {"meeting": "last", "changes": {"gate": True}},
    say.SetGoal: {"meeting": "last", "actor": "red", "goal": {"key": 2}},
    say.ConnectMeetings: {"meeting": "late", "after": "first"},
    say.DisconnectMeetings: {"meeting": "last", "after": "first"},
    say.RemoveMeeting: {"meeting": "first"},
}
WEIGHTY = (say.SetMovers, say.SetBodies, say.RemoveBody, say.MoveBodies, say.FaceBodies, say.SetGravity)
MEETING = (
    say.AddMeeting, say.SetMeeting, say.SetGoal, say.ConnectMeetings, say.DisconnectMeetings, say.RemoveMeeting,
)  # fmt: skip
JOINTED = (say.SetJoints, say.SetConnections)
PATHS = (
    say.MoveKeys, say.TurnKeys, say.PlaceKeys, say.FaceKeys, say.DragTangent, say.SetKeys, say.ApplyEffect,
    say.InsertKey, say.DeleteKeys, say.PasteKeys, say.ShiftKey, say.SetPath,
)  # fmt: skip
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
WORDS = ["tension", "name", "time", "position", "orientation", "arrive", "effect", "relative_to", "pin", "parent"]
WORDS += ["facing", "look", "closed", "ends", "timing", "duration", "start", "capture", "outside", "closing", "path"]
WORDS += ["kind", "then", "velocity", "friction", "senses", "continuity", "beta", "integrator", "basis"]
WORDS += ["within", "eagerness", "damping", "correction", "speed", "turn_within", "shape", "mass", "bounce", "spin"]
WORDS += ["need", "of", "gate", "patience", "key", "turn", "blue"]
WORDS += ["stiffness", "strength", "limits", "limit", "at", "to_at", "length", "help"]
DEEP = [{word: value} for word in WORDS for value in (None, 0, -1e300, "", "red", [], [1, 2], [[1]], {}, {"kind": "x"})]


def said(kind, word, value):
    """A message with one word said otherwise, or None if no page can say that."""
    try:
        return msgspec.convert({"do": kind.__struct_config__.tag, "id": 1, **GOOD[kind], word: value}, kind)
    except msgspec.ValidationError:
        return None


def test_every_edit_is_tried():
    assert set(GOOD) == set(EDITS)


@pytest.mark.parametrize("kind", GOOD, ids=lambda kind: kind.__name__)
def test_whatever_is_said_is_done_or_refused(kind):
    stages = ((JOINTED, gym), (WEIGHTY, weighty), (MEETING, met))
    tries(kind, next((stage for kinds, stage in stages if kind in kinds), windy)())


@pytest.mark.parametrize("kind", PATHS, ids=lambda kind: kind.__name__)
def test_whatever_is_said_of_the_path_of_a_follower_is_done_or_refused(kind):
    tries(kind, weighty())


def tries(kind, stage):
    before, tried = text(stage), 0
    edited(stage, said(kind, "id", 1))
    for word in GOOD[kind]:
        for value in [*JUNK, *(DEEP if isinstance(GOOD[kind][word], dict) else [])]:
            message = said(kind, word, value)
            if message is None:
                continue
            tried += 1
            try:
                made, says = edited(stage, message)
            except KeyposeError:
                continue
            assert says
            assert text(read(text(made))) == text(made), message
    assert tried > 5
    assert text(stage) == before
