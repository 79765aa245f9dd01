"""How does a script stand in a scene file? A list of meetings: who is to be where, and after which others.

A goal is the name of a key, a distance along the path, or the turn to a key. All that is wrong is told at once: names
that are not there and circles even where a meeting could not be read, and every goal that nobody can come to.
"""

from itertools import islice
from typing import Any

from keypose.document.problems import INVALID, MAX_SHOWN, Invalid, ReadContext, Reference
from keypose.document.schema.dataclass_kinds import dataclass_kind
from keypose.document.schema.lists import ListOf, MapOf
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Boolean, Either, Integer, Number, OneOf, Schema, Text, text_problem
from keypose.errors import KeyposeError, UnknownNameError, join_path, short_repr
from keypose.script import OF_CHOICES, Meeting, Script, TurnGoal, topological_order
from keypose.stage import Actor, Stage, find_goal_errors

TURN_GOAL = Record(
    "a goal of a turn",
    {"turn": Field(Text(), "the key to whose facing it turns", is_required=True)},
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
        self._value_type = MapOf(GOAL, "goals, by the names of actors")

    def read(self, given: Any, path: str, context: ReadContext) -> dict[str, Any] | Invalid:
        """The goals; everybody who has one is spoken of."""
        if given == {}:
            return context.add_problem(
                path, 'It has no goals. Give one for each actor, as {"red": "arch", "blue": 2.5}.'
            )
        for name in given if isinstance(given, dict) else ():
            if not text_problem(name):
                context.references.append(Reference(join_path(path, name), "is a goal for", name))
        return self._value_type.read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """An object with one goal or more."""
        return {**self._value_type.json_schema(definitions), "minProperties": 1}


_MEETING = dataclass_kind(
    "meeting",
    Meeting,
    "a meeting",
    {
        "name": (Text(), "what the others call it"),
        "after": (ListOf(Text(), what="names of meetings"), "the meetings it comes after"),
        "need": (Integer(), "how many of those it needs; all if not said"),
        "of": (OneOf(OF_CHOICES), "what meets: targets, or the bodies behind them"),
        "gate": (Boolean(), "whether nobody passes its goal before it is active"),
        "patience": (Number(above=0.0, maximum=1e6), "how long somebody may be stuck until it fails [s]"),
    },
)
_NAME, *_REST = _MEETING.record.fields
MEETING = Record(
    "a meeting",
    {
        _NAME: _MEETING.record.fields[_NAME],
        "goals": Field(Goals(), "where each is to be, by the names of actors", is_required=True),
        **{word: _MEETING.record.fields[word] for word in _REST},
    },
    Meeting,
)


class SceneScript:
    """The meetings of a scene, each with a name of its own."""

    def __init__(self) -> None:
        self._value_type = ListOf(MEETING, what="meetings")

    def read(self, given: Any, path: str, context: ReadContext) -> Script | Invalid:
        """The script."""
        context.current_actor = None
        before = context.count
        meetings = self._value_type.read(given, path, context)
        if isinstance(given, list):
            _check_order(given, path, context)
        if isinstance(meetings, Invalid) or context.count > before:
            return INVALID
        result: Script | Invalid = context.construct(Script, path, meetings)
        return result

    def json_schema(self, definitions: Schema) -> Schema:
        """A list of them."""
        return self._value_type.json_schema(definitions)


def _check_order(given: list[Any], path: str, context: ReadContext) -> None:
    """Every name once, no circles, and everything that others come after; told even of what could not be read."""
    meetings = [entry if isinstance(entry, dict) else {} for entry in given]
    names: dict[str, int] = {}
    for index, entry in enumerate(meetings):
        name = entry.get("name")
        if isinstance(name, str) and names.setdefault(name, index) != index:
            text = f"Meeting {names[name]} is named {short_repr(name)} too. Give each its own name."
            context.add_problem(join_path(path, index, "name"), text)
    known_parents: list[list[str]] = []
    for index, entry in enumerate(meetings):
        after = entry["after"] if isinstance(entry.get("after"), list) else []
        known_parents.append([name for name in after if isinstance(name, str) and name in names])
        for position, name in enumerate(after):
            if isinstance(name, str) and name not in names and not text_problem(name):
                text = (
                    f"It comes after {short_repr(name)}, which is not in the script.{context.suggestion(name, names)}"
                )
                context.add_problem(join_path(path, index, "after", position), text)
    if len(names) == len(meetings):
        context.construct(topological_order, path, dict(zip(names, known_parents, strict=True)))


def build_stage(values: dict[str, Any], context: ReadContext) -> Stage | Invalid:
    """The stage of what a scene says; every problem is reported, where Python raises the first."""
    try:
        return Stage(**values)
    except KeyposeError as error:
        first = error
    _report_stage_problems(values, dict(enumerate(values["actors"])), context)
    if not context.count:
        context.add_problem(join_path("", *first.at), str(first))
    return INVALID


def check_readable(values: dict[str, Any], context: ReadContext) -> None:
    """Report what only a stage shows, for the part of a scene that can be read while something else cannot."""
    wrong = {problem.path.partition("]")[0] + "]" for problem in context.problems}
    actors = {
        int(path.removeprefix("actors[")[:-1]): actor for path, actor in context.actors.items() if path not in wrong
    }
    names = [actor.name for actor in actors.values()]
    if len(set(names)) == len(names):
        readable = {name: value for name, value in values.items() if not isinstance(value, Invalid)}
        _report_stage_problems(readable, actors, context)


def _report_stage_problems(values: dict[str, Any], actors: dict[int, Actor], context: ReadContext) -> None:
    """Report actors, connections and goals that a stage refuses; `actors` by their index in the file.

    What is refused is left out and the stage built again. References to what is not there are reported elsewhere.
    """
    is_partial, reported = context.count > 0, {problem.text for problem in context.problems}
    actors = dict(actors)
    connections = dict(enumerate(values.get("connections", ())))
    options = {name: value for name, value in values.items() if name in ("fields", "gravity", "style")}
    for _ in range(MAX_SHOWN):  # each attempt takes as long as the whole stage
        try:
            stage = Stage(list(actors.values()), connections=list(connections.values()), **options)
        except KeyposeError as error:
            group = {"actors": actors, "connections": connections}.get(str(error.at[0]) if error.at else "")
            if group is None or len(error.at) < 2 or not isinstance(error.at[1], int):
                return
            index = list(group)[error.at[1]]
            if str(error) not in reported and not (is_partial and isinstance(error, UnknownNameError)):
                context.add_problem(join_path("", error.at[0], index, *error.at[2:]), str(error))
            del group[index]
            is_partial = True
        else:
            break
    else:
        return
    if "script" in values:
        goal_errors = find_goal_errors(values["script"], stage.resolved.by_name, stage.connections, stage.gravity)
        for goal_error in islice(goal_errors, MAX_SHOWN):  # each looks for near names, which takes time
            name = str(goal_error.at[-1])
            if not is_partial or (name in stage and "/" not in name):
                context.add_problem(join_path("", *goal_error.at), str(goal_error))


def meeting_object(meeting: Meeting) -> dict[str, Any]:
    """A meeting as plain values."""
    if type(meeting) is not Meeting:
        raise KeyposeError(f"A script has {short_repr(meeting)}, which a scene file does not know. Give it a Meeting.")
    values = _MEETING.to_object(meeting)
    goals = {name: _goal_object(goal, name, meeting.name) for name, goal in meeting.goals.items()}
    return {"name": values.pop("name"), "goals": goals, **values}


def _goal_object(goal: Any, name: str, meeting: str) -> Any:
    owner = f"Meeting {short_repr(meeting)} has the goal {short_repr(goal)} for {short_repr(name)}"
    for text in (name, goal.key if isinstance(goal, TurnGoal) else goal):
        if isinstance(text, str) and (problem := text_problem(text)):
            raise KeyposeError(f"{owner}, which {problem}")
    if isinstance(goal, str | float):
        return goal
    if type(goal) is not TurnGoal:
        raise KeyposeError(f'{owner}, which a scene file does not know. Use turn("key").')
    return {"turn": goal.key}
