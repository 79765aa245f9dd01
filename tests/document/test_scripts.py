"""Scripts in a scene file: every word of a meeting comes back, and whatever is wrong is told at its place, at once."""

import json
from dataclasses import dataclass, fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Follow,
    Key,
    KeyposeError,
    Meeting,
    Motion,
    MotionPath,
    Script,
    Sphere,
    Stage,
    shoot,
    turn,
)
from keypose.document.problems import INVALID, MAX_SHOWN, ReadContext
from keypose.document.scene import find_problems, header_object, read, scene_schema, write
from keypose.document.scripts import GOAL, MEETING
from keypose.script.meeting import TurnGoal
from tests.document.script_samples import ORIENTED_PATH, PATH, every_meeting, scripts, with_script_if_valid
from tests.document.stage_samples import scene_bytes

VALID = Draft202012Validator(scene_schema())
BALL = Body(Sphere(0.1))
CAST = [
    Actor("red", Follow(PATH, BALL, within=0.4)),
    Actor("blue", Motion(PATH, duration=3.0)),
    Actor("man", Follow(ORIENTED_PATH, BALL, within=0.3)),
    Actor("moth", DynamicSpline((0, 3, 0))),
]
SCENE_OBJECT = json.loads(scene_bytes(Stage(CAST)))
MEET = {"name": "arch", "goals": {"red": "arch", "blue": 2.5}}


def scene(*meetings, **more):
    """A file with these meetings of red, blue, a man and a moth."""
    return json.dumps({**SCENE_OBJECT, "script": list(meetings), **more}).encode()


def meet(**options):
    return scene({**MEET, **options})


def goals(**options):
    return scene({"name": "arch", "goals": options})


def problem_texts(content):
    return {problem.path: problem.text for problem in find_problems(content)}


def meeting_object(**options):
    script = Script()
    script.meet(**{"goals": {"red": "arch"}, "name": "arch", **options})
    (meeting,) = header_object(Stage(CAST, script=script))["script"]
    return meeting


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_sample_stage_has_every_meeting_field():
    text = scene_bytes(every_meeting()).decode()
    assert [word for word in (*MEETING.fields, "turn") if f'"{word}": ' not in text] == []
    assert list(MEETING.fields) == [one.name for one in fields(Meeting)]


def test_script_round_trips_and_shoots_bitwise_identically():
    stage = every_meeting()
    again = read(scene_bytes(stage))
    assert again == stage
    assert again.script == stage.script
    assert [*again.script] == [*stage.script]
    assert scene_bytes(again) == scene_bytes(stage)
    one, two = shoot(stage, 3), shoot(again, 3)
    assert one.events == two.events
    assert {event.meeting for event in one.events if event.state == "done"} == {"start", "lift", "arch"}
    for name in one.names:
        assert one.poses[name].position.tobytes() == two.poses[name].position.tobytes()


def test_meeting_object_has_its_goals_and_non_default_values():
    assert meeting_object() == {"name": "arch", "goals": {"red": "arch"}}
    usual = {"after": (), "need": None, "of": "targets", "gate": False, "patience": 2}
    assert meeting_object(**usual) == {"name": "arch", "goals": {"red": "arch"}}
    assert meeting_object(of="bodies", gate=True, patience=3) == {
        "name": "arch",
        "goals": {"red": "arch"},
        "of": "bodies",
        "gate": True,
        "patience": 3,
    }


def test_goal_is_written_as_a_name_a_distance_or_a_turn():
    meeting = meeting_object(goals={"red": "arch", "blue": 2.5, "man": turn("raised")})
    assert meeting["goals"] == {"red": "arch", "blue": 2.5, "man": {"turn": "raised"}}
    assert list(meeting["goals"]) == ["red", "blue", "man"], "as they were said"


def test_defaults_are_those_of_python():
    usual = {one.name: one.default for one in fields(Meeting)}
    for name, field in MEETING.fields.items():
        if not field.is_required:
            plain = list(usual[name]) if isinstance(usual[name], tuple) else usual[name]
            assert field.default == plain


def test_meetings_may_depend_on_later_ones():
    stage = read(scene({**MEET, "after": ["start"]}, {"name": "start", "goals": {"red": 0.5}}))
    assert [meeting.name for meeting in stage.script] == ["arch", "start"]
    assert read(scene_bytes(stage)) == stage


def test_empty_script_equals_none_and_is_not_written():
    assert read(scene()) == read(json.dumps(SCENE_OBJECT).encode()) == Stage(CAST)
    assert b"script" not in scene_bytes(Stage(CAST, script=Script()))


def test_order_of_meetings_is_kept():
    script = Script([Meeting(name=name, goals={"red": 1.0}) for name in ("c", "a", "b")])
    assert [meeting.name for meeting in read(scene_bytes(Stage(CAST, script=script))).script] == ["c", "a", "b"]


@pytest.mark.parametrize(
    "name", ["ä ö", 'he said "no"', "a.b[3]", "two\nlines", "null", "\\", "🎬", "a\u2028b", "\x00"]
)
def test_odd_names_round_trip(name):
    path = MotionPath([(0, 0, 0), Key((1, 0, 0), name=name, orientation=(1, 0, 0, 0)), Key((2, 0, 0))])
    script = Script()
    script.meet({name: name}, name=name)
    script.meet({name: turn(name)}, after=name)
    stage = Stage([Actor(name, Follow(path, BALL, within=0.4))], script=script)
    again = read(scene_bytes(stage))
    assert again == stage
    assert again.script.meetings == stage.script.meetings


@pytest.mark.parametrize("distance", [0.0, 5e-324, 1e-9, 1 / 3, 2.0, PATH.length])
def test_distances_and_patience_round_trip_bitwise(distance):
    script = Script([Meeting(name="a", goals={"red": distance}, patience=min(1e6, distance + 1 / 3))])
    (meeting,) = read(scene_bytes(Stage(CAST, script=script))).script
    assert (meeting.goals["red"], meeting.patience) == (distance, min(1e6, distance + 1 / 3))


def test_long_script_takes_one_line_per_meeting():
    script = Script()
    for number in range(300):
        script.meet({"red": number / 100}, after=script.meetings[-1:])
    stage = Stage(CAST, script=script)
    lines = scene_bytes(stage).decode().splitlines()
    assert sum('"goals"' in line for line in lines) == 300
    assert read(scene_bytes(stage)) == stage


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(scripts(CAST, NAMES))
def test_random_scripts_round_trip(script):
    stage = with_script_if_valid(Stage(CAST), script)
    written = scene_bytes(stage)
    again = read(written)
    assert again == stage
    assert (again.script or None) == (stage.script or None)
    assert scene_bytes(again) == written
    assert VALID.is_valid(json.loads(written))


# ---- what cannot be written ------------------------------------------------------------------------------------------


class MeetingSubclass(Meeting):
    """A meeting of one's own, that a file could not tell from another."""


@dataclass(frozen=True)
class TurnGoalSubclass(TurnGoal):
    """A turn of one's own."""


UNWRITABLE = {
    "half a character in a name": (Meeting(name="\ud800", goals={"red": "arch"}), "half a character"),
    "a meeting of one's own": (MeetingSubclass(name="a", goals={"red": "arch"}), "A script has .* Give it a Meeting"),
    "a turn of one's own": (
        Meeting(name="a", goals={"man": TurnGoalSubclass("raised")}),
        r'Meeting \'a\' has the goal .* for \'man\', which a scene file does not know. Use turn\("key"\)',
    ),
}


@pytest.mark.parametrize("what", UNWRITABLE)
def test_unsavable_meeting_is_refused_before_the_first_chunk(what):
    meeting, sentence = UNWRITABLE[what]
    stage = Stage(CAST, script=Script([meeting]))
    with pytest.raises(KeyposeError, match=sentence):
        write(stage)


@pytest.mark.parametrize("goal", ["\ud800", turn("\ud800")], ids=["a key", "a turn"])
def test_lone_surrogate_in_a_goal_is_refused(goal):
    path = ORIENTED_PATH.with_key(1, name="\ud800")
    stage = Stage([Actor("red", Follow(path, BALL, within=1))], script=Script([Meeting(name="a", goals={"red": goal})]))
    with pytest.raises(KeyposeError, match=r"Meeting 'a' has the goal .* for 'red', which has half a character"):
        write(stage)


# ---- what is wrong ---------------------------------------------------------------------------------------------------

LATER = {"name": "later", "goals": {"red": 3}}
WRONG = {
    "a script that is an object": (scene(script={}), "script", "It is an object. Give a list of meetings."),
    "a meeting in words": (scene("arch"), "script[0]", "It is the text 'arch'. Give a meeting as an object"),
    "a mistyped field": (meet(patients=3), "script[0].patients", "Did you mean 'patience'?"),
    "no name": (scene({"goals": {"red": 1}}), "script[0].name", "It is missing in a meeting."),
    "an empty name": (meet(name=""), "script[0].name", "It is empty. Give a text."),
    "a name of a space": (meet(name=" "), "script[0].name", "A meeting is named ' '. Give it a name."),
    "a name that is a number": (meet(name=1), "script[0].name", "It is the number 1. Give a text"),
    "no goals": (scene({"name": "a"}), "script[0].goals", "It is missing in a meeting. Give where each is to be"),
    "empty goals": (goals(), "script[0].goals", 'It has no goals. Give one for each actor, as {"red": "arch"'),
    "goals in a list": (meet(goals=["red"]), "script[0].goals", "It is a list. Give an object of goals, by the names"),
    "a goal for somebody without a name": (
        meet(goals={"": 1}),
        'script[0].goals[""]',
        "Its name is empty. Give a text.",
    ),
    "a goal that is true": (goals(red=True), "script[0].goals.red", "It is true. Give the name of a key, a distance"),
    "a goal that is null": (goals(red=None), "script[0].goals.red", "It is null. Give the name of a key, a distance"),
    "a goal that is a place": (goals(red=[1, 0, 0]), "script[0].goals.red", "It is a list. Give the name of a key"),
    "a goal of no name": (goals(red=""), "script[0].goals.red", "It is empty."),
    "a distance below zero": (goals(red=-1), "script[0].goals.red", "It is -1. Give a finite number, 0 or more."),
    "a turn without a key": (goals(man={}), "script[0].goals.man.turn", "It is missing in a goal of a turn."),
    "a turn to a number": (goals(man={"turn": 1}), "script[0].goals.man.turn", "It is the number 1. Give a text"),
    "a mistyped turn": (
        goals(man={"turn": "raised", "trun": "raised"}),
        "script[0].goals.man.trun",
        "no such field in a goal of a turn. Did you mean 'turn'?",
    ),
    "a stranger": (goals(rde=1), "script[0].goals.rde", "It is a goal for 'rde', who is not in the scene. Did you"),
    "after a text": (meet(after="start"), "script[0].after", "the text 'start'. Give a list of names of meetings."),
    "after a number": (meet(after=[1]), "script[0].after[0]", "It is the number 1. Give a text"),
    "after a stranger": (
        scene(MEET, {**LATER, "after": ["arc"]}),
        "script[1].after[0]",
        "It comes after 'arc', which is not in the script. Did you mean 'arch'?",
    ),
    "after itself": (meet(after=["arch"]), "script[0].after", "in a circle: 'arch' after 'arch'."),
    "in a circle": (
        scene({**MEET, "after": ["later"]}, {**LATER, "after": ["arch"]}),
        "script[1].after",
        "Meetings come after each other in a circle: 'arch' after 'later' after 'arch'. Let one of them",
    ),
    "two of one name": (scene(MEET, LATER, {**LATER, "name": "arch"}), "script[2].name", "Meeting 0 is named 'arch'"),
    "a need of none": (
        scene(MEET, {**LATER, "after": ["arch"], "need": 0}),
        "script[1].need",
        "needs 0 of the 1 meetings it comes after. Give a whole number from 1",
    ),
    "a need without meetings": (meet(need=1), "script[0].need", "needs 1 of the 0 meetings it comes after."),
    "a need of too many": (
        scene(MEET, {**LATER, "after": ["arch"], "need": 2}),
        "script[1].need",
        "needs 2 of the 1 meetings it comes after.",
    ),
    "a need of a half": (meet(need=0.5), "script[0].need", "It is the number 0.5. Give a whole number"),
    "of somebody": (meet(of="body"), "script[0].of", "It is the text 'body'."),
    "a gate in words": (meet(gate="yes"), "script[0].gate", "It is the text 'yes'. Give true or false."),
    "no patience": (
        meet(patience=0),
        "script[0].patience",
        "It is 0. Give a finite number, more than 0, 1e+06 at most",
    ),
    "patience without end": (meet(patience=1e7), "script[0].patience", "1e+06 at most"),
    "patience of null": (meet(patience=None), "script[0].patience", "It is null. Give a finite number"),
    "a key that is not there": (goals(red="arc"), "script[0].goals.red", "named so. Did you mean 'arch'?"),
    "a turn to a key that is not there": (goals(man={"turn": "up"}), "script[0].goals.man", "There is 'raised'."),
    "a turn of who has no facings": (
        goals(red={"turn": "arch"}),
        "script[0].goals.red",
        "whose path has no facings. Give its keys orientations",
    ),
    "a distance beyond the end": (goals(red=5), "script[0].goals.red", "whose path is 4 m long. Give a distance up"),
    "a distance beyond all": (goals(blue=1e300), "script[0].goals.blue", "whose path is 4 m long."),
    "somebody who cannot be slowed down": (goals(moth=1), "script[0].goals.moth", "no path to be slowed down on"),
    "goals in another order than the meetings": (
        scene(
            {"name": "near", "goals": {"red": 1, "blue": 3}},
            {"name": "far", "goals": {"red": 3, "blue": 1}},
        ),
        "script[0]",
        "Meetings wait for each other in a circle",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_script_is_reported_at_its_path(what):
    content, path, sentence = WRONG[what]
    (problem,) = find_problems(content)
    assert problem.path == path
    assert sentence in problem.text
    assert problem.text[-1] in ".?"


TYPE_PROBLEMS = ("It is the text", "It is the number", "It is a list", "It is an object", "It is null", "It is true")
LIMIT_PROBLEMS = ("It is missing", "It is empty", "It has no goals", "There is no such field", "It is -1", "It is 0.")


@pytest.mark.parametrize("what", WRONG)
def test_schema_rejects_values_of_another_type(what):
    content, _, _ = WRONG[what]
    if any(problem.text.startswith(TYPE_PROBLEMS + LIMIT_PROBLEMS) for problem in find_problems(content)):
        assert not VALID.is_valid(json.loads(content))


def test_all_script_problems_are_reported_together():
    content = scene(
        {"name": "a", "goals": {"rde": True, "man": {"turn": 1}}, "of": "body", "need": "one"},
        {"name": "a", "goals": {}, "after": ["b", "a"]},
        7,
        gravity=1,
    )
    assert list(problem_texts(content)) == [
        "gravity",
        "script[0].goals.rde",
        "script[0].goals.man.turn",
        "script[0].need",
        "script[0].of",
        "script[1].goals",
        "script[2]",
        "script[1].name",
        "script[1].after[0]",
    ]


def test_cycle_is_reported_even_for_meetings_that_could_not_be_read():
    content = scene({"name": "a", "goals": 1, "after": ["b"]}, {"name": "b", "goals": {}, "after": ["a", "c"]})
    assert list(problem_texts(content)) == [
        "script[0].goals",
        "script[1].goals",
        "script[1].after[1]",
        "script[1].after",
    ]


def test_every_unreachable_goal_is_reported():
    content = scene(
        {"name": "a", "goals": {"red": "arc", "blue": 9, "man": "raised"}},
        {"name": "b", "goals": {"moth": 1, "man": {"turn": "up"}}},
        {"name": "c", "goals": {"red": {"turn": "arch"}}},
    )
    paths = ["script[0].goals.red", "script[0].goals.blue", "script[1].goals.moth", "script[1].goals.man"]
    assert list(problem_texts(content)) == [*paths, "script[2].goals.red"]


def test_only_the_first_of_very_many_invalid_goals_are_reported():
    content = scene(*({"name": f"m{number}", "goals": {"red": "arc"}} for number in range(500)))
    assert len(find_problems(content)) == MAX_SHOWN


def test_stage_problems_are_reported_together_with_the_script():
    connections = [{"kind": "pin", "link": "red", "to": "red"}]
    assert "connections[0].to" in problem_texts(scene(MEET, connections=connections))
    plane = {"name": "sheet", "path": {"keys": [{"position": [0] * 3}] * 2}, "duration": 1, "parent": "sheet"}
    assert list(problem_texts(scene(MEET, actors=[*SCENE_OBJECT["actors"], plane]))) == ["actors[4].parent"]


def test_chain_of_3000_meetings_is_read():
    chain = [
        {"name": f"m{number}", "goals": {"red": 1}, "after": [f"m{number - 1}"] if number else []}
        for number in range(3000)
    ]
    assert len(read(scene(*chain)).script) == 3000
    chain[0]["after"] = ["m2999"]
    (problem,) = find_problems(scene(*chain))
    assert "in a circle" in problem.text
    assert problem.path == "script[1].after"


@pytest.mark.parametrize("given", ["arch", 0, 2.5, {"turn": "raised"}])
def test_goals_of_every_type_are_read(given):
    reading = ReadContext()
    assert GOAL.read(given, "goal", reading) is not INVALID, reading.problems
