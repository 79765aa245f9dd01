"""Who meets whom, where, and after what? Meetings come and go, get other goals, and wait for each other (LG95 §6)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keypose.document.schema.value_types import Text
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.script.meeting import Goal, Meeting, TurnGoal
from keypose.script.script import Script
from keypose.stage.stage import Stage
from keypose.studio.edits.goals import waiting_for, without_meeting
from keypose.studio.edits.labels import listed, read_as
from keypose.studio.edits.motions import path_of, with_keys, with_path
from keypose.studio.protocol import commands as say

WORDS = ("name", "need", "of", "gate", "patience")


def added(stage: Stage, message: say.AddMeeting) -> tuple[Stage, str]:
    """One meeting more."""
    script = _script(stage)
    name = script.free_name if message.name is None else _name(stage, message.name, "The new meeting")
    goals: dict[str, Goal] = {}
    for actor, given in message.goals.items():
        stage, goals[actor] = _goal(stage, name, actor, given)
    made = Script([*script, Meeting(name=name, goals=goals, after=message.after)])
    return stage.changed(script=made), f"add {_called(name)}"


def removed(stage: Stage, message: say.RemoveMeeting) -> tuple[Stage, str]:
    """One meeting less; the order of the others stays."""
    left = without_meeting(_script(stage), message.meeting)
    return stage.changed(script=left if len(left) else None), f"remove {_called(message.meeting)}"


def said(stage: Stage, message: say.SetMeeting) -> tuple[Stage, str]:
    """A meeting of which something is said; by another name, whoever waits for it waits for that."""
    script, changes = _script(stage), dict(message.changes)
    meeting = script[message.meeting]
    if not changes:
        raise KeyposeError(f"Nothing was said of meeting {meeting.name!r}. Say its {listed(WORDS)}.")
    for word in changes:
        if word not in WORDS:
            raise UnknownNameError(f"Meeting {meeting.name!r} has no {shown(word)}.{did_you_mean(word, WORDS)}")
    if "name" in changes:
        changes["name"] = _name(stage, changes["name"], f"Meeting {meeting.name!r}")
    made = replace(meeting, **changes)
    says = f"{listed(list(changes))} of {_called(meeting.name)}"
    if made.name != meeting.name:
        says = f"rename {_called(meeting.name)} to {made.name}"
    return stage.changed(script=Script(_renamed(script, meeting, made))), says


def goal_said(stage: Stage, message: say.SetGoal) -> tuple[Stage, str]:
    """A meeting in which somebody has another goal, comes too, or comes no more."""
    meeting, actor = _script(stage)[message.meeting], message.actor
    goals = dict(meeting.goals)
    if message.goal is None:
        if goals.pop(actor, None) is None:
            raise KeyposeError(f"{actor!r} does not come to meeting {meeting.name!r}. Take one of those who do.")
        if not goals:
            raise KeyposeError(f"Nobody but {actor!r} comes to meeting {meeting.name!r}. Remove the meeting.")
        says = f"take {actor} out of {_called(meeting.name)}"
    else:
        what = f"goal of {actor} in" if actor in goals else f"add {actor} to"
        says = f"{what} {_called(meeting.name)}"
        stage, goals[actor] = _goal(stage, meeting.name, actor, message.goal)
    return _with(stage, replace(meeting, goals=goals)), says


def connected(stage: Stage, message: say.ConnectMeetings) -> tuple[Stage, str]:
    """A meeting that waits for one more."""
    script = _script(stage)
    meeting, after = script[message.meeting], script[message.after]
    if after.name in meeting.after:
        raise KeyposeError(f"Meeting {meeting.name!r} comes after {after.name!r} already. Connect others.")
    return _with(stage, waiting_for(meeting, [*meeting.after, after.name])), f"{meeting.name} after {after.name}"


def disconnected(stage: Stage, message: say.DisconnectMeetings) -> tuple[Stage, str]:
    """A meeting that waits for one less."""
    meeting = _script(stage)[message.meeting]
    if message.after not in meeting.after:
        raise KeyposeError(
            f"Meeting {meeting.name!r} does not come after {shown(message.after)}."
            f"{did_you_mean(message.after, meeting.after)}"
        )
    left = [name for name in meeting.after if name != message.after]
    return _with(stage, waiting_for(meeting, left)), f"{meeting.name} not after {message.after}"


# ---- inside ----------------------------------------------------------------------------------------------------------


def _script(stage: Stage) -> Script:
    return Script() if stage.script is None else stage.script


def _with(stage: Stage, meeting: Meeting) -> Stage:
    return stage.changed(script=Script(meeting if one.name == meeting.name else one for one in _script(stage)))


def _renamed(script: Script, old: Meeting, new: Meeting) -> Iterator[Meeting]:
    for one in script:
        if one is old:
            yield new
        else:
            yield replace(one, after=tuple(new.name if name == old.name else name for name in one.after))


def _name(stage: Stage, given: Any, whose: str) -> str:
    name: str = read_as(Text(), given, "name", stage, whose)
    return name


def _called(name: str) -> str:
    return name if name.startswith("meeting") else f"the meeting {name}"


def _goal(stage: Stage, meeting: str, actor: str, given: Any) -> tuple[Stage, Goal]:
    """A goal as a page says it, on a stage where its key has a name."""
    if not isinstance(given, Mapping):
        goal: Goal = given  # a meeting says itself what is none
        return stage, goal
    [(word, key)] = given.items() if len(given) == 1 else [("", None)]
    if word not in ("key", "turn") or isinstance(key, bool) or not isinstance(key, int | str):
        raise KeyposeError(
            f"Meeting {meeting!r} was given the goal {shown(given)} for {actor!r}. "
            'Give the name of a key, a distance [m], {"key": 2} or {"turn": "the name of a key"}.'
        )
    if isinstance(key, int):
        stage, key = _named_key(stage, meeting, actor, key)
    return stage, TurnGoal(key) if word == "turn" else key


def _named_key(stage: Stage, meeting: str, actor: str, number: int) -> tuple[Stage, str]:
    """The name of a key; one without is called as the meeting at it."""
    path = path_of(stage, actor)
    key = path.keys[path.keys.index(number)]
    if key.name is not None:
        return stage, key.name
    said = path.keys.column("name")
    taken = set(() if said is None else said)
    name = next(name for count in range(1, len(path) + 2) if (name := _numbered(meeting, count)) not in taken)
    return with_path(stage, actor, with_keys(path, {number: key.changed(name=name)})), name


def _numbered(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ({count})"
