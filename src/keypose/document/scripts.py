"""How does a script stand in a scene file? A list of meetings: who is to be where, and after which others.

A goal is the name of a key, a distance along the path, or the turn to a key. All that is wrong is told at once: names
that are not there and circles even where a meeting could not be read, and every goal that nobody can come to.
"""

from itertools import islice
from typing import Any

from keypose.document.problems import BAD, SHOWN, Bad, Reading, Reference, inside
from keypose.document.schema.dataclass_kinds import declared
from keypose.document.schema.lists import ListOf, Named
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Flag, Number, OneOf, Schema, Text, Whole, unwritable
from keypose.errors import KeyposeError, shown
from keypose.script.meeting import OF, Meeting, TurnGoal
from keypose.script.script import Script, ordered
from keypose.stage.resolve.synchronization import wrong_goals
from keypose.stage.stage import Stage

TURN_GOAL = Record(
    "a goal of a turn",
    {"turn": Field(Text(), "the key to whose facing it turns", needed=True)},
    lambda turn: TurnGoal(turn),
)
DISTANCE = Number(0.0)
GOAL = Either(
    'the name of a key, a distance [m], or {"turn": "key"}',
    {str: Text(), int: DISTANCE, float: DISTANCE, dict: TURN_GOAL},
)


class Goals:
    """The goals of those who meet, by their names."""

    def __init__(self) -> None:
        self._form = Named(GOAL, "goals, by the names of actors")

    def read(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """The goals; everybody who has one is spoken of."""
        if given == {}:
            return reading.wrong(path, 'It has no goals. Give one for each actor, as {"red": "arch", "blue": 2.5}.')
        for name in given if isinstance(given, dict) else ():
            if not unwritable(name):
                reading.references.append(Reference(inside(path, name), "is a goal for", name))
        return self._form.read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """An object with one goal or more."""
        return {**self._form.schema(named), "minProperties": 1}


_MEETING = declared(
    "meeting",
    Meeting,
    "a meeting",
    {
        "name": (Text(), "what the others call it"),
        "after": (ListOf(Text(), what="names of meetings"), "the meetings it comes after"),
        "need": (Whole(), "how many of those it needs; all if not said"),
        "of": (OneOf(OF), "what meets: targets, or the bodies behind them"),
        "gate": (Flag(), "whether nobody passes its goal before it is active"),
        "patience": (Number(above=0.0, most=1e6), "how long somebody may be stuck until it fails [s]"),
    },
)
_NAME, *_REST = _MEETING.record.fields
MEETING = Record(
    "a meeting",
    {
        _NAME: _MEETING.record.fields[_NAME],
        "goals": Field(Goals(), "where each is to be, by the names of actors", needed=True),
        **{word: _MEETING.record.fields[word] for word in _REST},
    },
    Meeting,
)


class SceneScript:
    """The meetings of a scene, each with a name of its own."""

    def __init__(self) -> None:
        self._form = ListOf(MEETING, what="meetings")

    def read(self, given: Any, path: str, reading: Reading) -> Script | Bad:
        """The script."""
        reading.speaker = None
        before = reading.count
        meetings = self._form.read(given, path, reading)
        if isinstance(given, list):
            _check_order(given, path, reading)
        if isinstance(meetings, Bad) or reading.count > before:
            return BAD
        made: Script | Bad = reading.made(Script, path, meetings)
        return made

    def schema(self, named: Schema) -> Schema:
        """A list of them."""
        return self._form.schema(named)


def _check_order(given: list[Any], path: str, reading: Reading) -> None:
    """Every name once, no circles, and everything that others come after; told even of what could not be read."""
    meetings = [one if isinstance(one, dict) else {} for one in given]
    names: dict[str, int] = {}
    for index, one in enumerate(meetings):
        name = one.get("name")
        if isinstance(name, str) and names.setdefault(name, index) != index:
            text = f"Meeting {names[name]} is named {shown(name)} too. Give each its own name."
            reading.wrong(inside(path, index, "name"), text)
    known: list[list[str]] = []
    for index, one in enumerate(meetings):
        said = one["after"] if isinstance(one.get("after"), list) else []
        known.append([name for name in said if isinstance(name, str) and name in names])
        for place, name in enumerate(said):
            if isinstance(name, str) and name not in names and not unwritable(name):
                text = f"It comes after {shown(name)}, which is not in the script.{reading.suggested(name, names)}"
                reading.wrong(inside(path, index, "after", place), text)
    if len(names) == len(meetings):
        reading.made(ordered, path, dict(zip(names, known, strict=True)))


def staged(said: dict[str, Any], reading: Reading) -> Stage | Bad:
    """The stage of what a scene says; of the goals that nobody can come to all are told, where Python tells one."""
    try:
        return Stage(**said)
    except KeyposeError as error:
        first = error
    wrong = [first]
    if first.at[:1] == ("script",):
        bare = reading.made(Stage, "", **{word: value for word, value in said.items() if word != "script"})
        if not isinstance(bare, Bad):
            found = wrong_goals(said["script"], bare.by_name, bare.connections, bare.gravity)
            wrong = list(islice(found, SHOWN)) or wrong  # each looks for near names, which takes time
    for one in wrong:
        reading.wrong(inside("", *one.at), str(one))
    return BAD


def meeting_object(meeting: Meeting) -> dict[str, Any]:
    """A meeting as plain values."""
    if type(meeting) is not Meeting:
        raise KeyposeError(f"A script has {shown(meeting)}, which a scene file does not know. Give it a Meeting.")
    said = _MEETING.said(meeting)
    goals = {name: _goal_object(goal, name, meeting.name) for name, goal in meeting.goals.items()}
    return {"name": said.pop("name"), "goals": goals, **said}


def _goal_object(goal: Any, name: str, meeting: str) -> Any:
    whose = f"Meeting {shown(meeting)} has the goal {shown(goal)} for {shown(name)}"
    for text in (name, goal.key if isinstance(goal, TurnGoal) else goal):
        if isinstance(text, str) and (problem := unwritable(text)):
            raise KeyposeError(f"{whose}, which {problem}")
    if isinstance(goal, str | float):
        return goal
    if type(goal) is not TurnGoal:
        raise KeyposeError(f'{whose}, which a scene file does not know. Use turn("key").')
    return {"turn": goal.key}
