"""Who meets whom, where, and after what? Meetings come and go, get other goals, and wait for each other (LG95 §6)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keypose.document import Text
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.script import Goal, Meeting, Script, TurnGoal
from keypose.stage import Stage
from keypose.studio.edits.goals import with_predecessors, without_meeting
from keypose.studio.edits.labels import join_words, parse_as
from keypose.studio.edits.motions import path_of, with_keys, with_path
from keypose.studio.protocol import commands

MEETING_OPTIONS = ("name", "need", "of", "gate", "patience")


def add_meeting(stage: Stage, message: commands.AddMeeting) -> tuple[Stage, str]:
    """One meeting more."""
    script = _script(stage)
    name = script.free_name if message.name is None else _parse_name(stage, message.name, "The new meeting")
    goals: dict[str, Goal] = {}
    for actor, given in message.goals.items():
        stage, goals[actor] = _parse_goal(stage, name, actor, given)
    new_script = Script([*script, Meeting(name=name, goals=goals, after=message.after)])
    return stage.changed(script=new_script), f"add {_meeting_label(name)}"


def remove_meeting(stage: Stage, message: commands.RemoveMeeting) -> tuple[Stage, str]:
    """One meeting less; the order of the others stays."""
    remaining = without_meeting(_script(stage), message.meeting)
    return stage.changed(script=remaining if len(remaining) else None), f"remove {_meeting_label(message.meeting)}"


def set_meeting(stage: Stage, message: commands.SetMeeting) -> tuple[Stage, str]:
    """A meeting of which something is said; by another name, whoever waits for it waits for that."""
    script, changes = _script(stage), dict(message.changes)
    meeting = script[message.meeting]
    if not changes:
        raise KeyposeError(f"Nothing was said of meeting {meeting.name!r}. Say its {join_words(MEETING_OPTIONS)}.")
    for option in changes:
        if option not in MEETING_OPTIONS:
            raise UnknownNameError(
                f"Meeting {meeting.name!r} has no {short_repr(option)}.{did_you_mean(option, MEETING_OPTIONS)}"
            )
    if "name" in changes:
        changes["name"] = _parse_name(stage, changes["name"], f"Meeting {meeting.name!r}")
    new_meeting = replace(meeting, **changes)
    label = f"{join_words(list(changes))} of {_meeting_label(meeting.name)}"
    if new_meeting.name != meeting.name:
        label = f"rename {_meeting_label(meeting.name)} to {new_meeting.name}"
    return stage.changed(script=Script(_rename_meeting(script, meeting, new_meeting))), label


def set_goal(stage: Stage, message: commands.SetGoal) -> tuple[Stage, str]:
    """A meeting in which somebody has another goal, comes too, or comes no more."""
    meeting, actor = _script(stage)[message.meeting], message.actor
    goals = dict(meeting.goals)
    if message.goal is None:
        if goals.pop(actor, None) is None:
            raise KeyposeError(f"{actor!r} does not come to meeting {meeting.name!r}. Take one of those who do.")
        if not goals:
            raise KeyposeError(f"Nobody but {actor!r} comes to meeting {meeting.name!r}. Remove the meeting.")
        label = f"take {actor} out of {_meeting_label(meeting.name)}"
    else:
        what = f"goal of {actor} in" if actor in goals else f"add {actor} to"
        label = f"{what} {_meeting_label(meeting.name)}"
        stage, goals[actor] = _parse_goal(stage, meeting.name, actor, message.goal)
    return _replace_meeting(stage, replace(meeting, goals=goals)), label


def connect_meetings(stage: Stage, message: commands.ConnectMeetings) -> tuple[Stage, str]:
    """A meeting that waits for one more."""
    script = _script(stage)
    meeting, after = script[message.meeting], script[message.after]
    if after.name in meeting.after:
        raise KeyposeError(f"Meeting {meeting.name!r} comes after {after.name!r} already. Connect others.")
    return _replace_meeting(
        stage, with_predecessors(meeting, [*meeting.after, after.name])
    ), f"{meeting.name} after {after.name}"


def disconnect_meetings(stage: Stage, message: commands.DisconnectMeetings) -> tuple[Stage, str]:
    """A meeting that waits for one less."""
    meeting = _script(stage)[message.meeting]
    if message.after not in meeting.after:
        raise KeyposeError(
            f"Meeting {meeting.name!r} does not come after {short_repr(message.after)}."
            f"{did_you_mean(message.after, meeting.after)}"
        )
    remaining = [name for name in meeting.after if name != message.after]
    return _replace_meeting(stage, with_predecessors(meeting, remaining)), f"{meeting.name} not after {message.after}"


# ---- inside ----------------------------------------------------------------------------------------------------------


def _script(stage: Stage) -> Script:
    return Script() if stage.script is None else stage.script


def _replace_meeting(stage: Stage, meeting: Meeting) -> Stage:
    return stage.changed(script=Script(meeting if one.name == meeting.name else one for one in _script(stage)))


def _rename_meeting(script: Script, old: Meeting, new: Meeting) -> Iterator[Meeting]:
    for one in script:
        if one is old:
            yield new
        else:
            yield replace(one, after=tuple(new.name if name == old.name else name for name in one.after))


def _parse_name(stage: Stage, given: Any, owner: str) -> str:
    name: str = parse_as(Text(), given, "name", stage, owner)
    return name


def _meeting_label(name: str) -> str:
    return name if name.startswith("meeting") else f"the meeting {name}"


def _parse_goal(stage: Stage, meeting: str, actor: str, given: Any) -> tuple[Stage, Goal]:
    """A goal as a page says it, on a stage where its key has a name."""
    if not isinstance(given, Mapping):
        goal: Goal = given  # a meeting says itself what is none
        return stage, goal
    [(goal_kind, key)] = given.items() if len(given) == 1 else [("", None)]
    if goal_kind not in ("key", "turn") or isinstance(key, bool) or not isinstance(key, int | str):
        raise KeyposeError(
            f"Meeting {meeting!r} was given the goal {short_repr(given)} for {actor!r}. "
            'Give the name of a key, a distance [m], {"key": 2} or {"turn": "the name of a key"}.'
        )
    if isinstance(key, int):
        stage, key = _ensure_key_name(stage, meeting, actor, key)
    return stage, TurnGoal(key) if goal_kind == "turn" else key


def _ensure_key_name(stage: Stage, meeting: str, actor: str, number: int) -> tuple[Stage, str]:
    """The name of a key; one without is called as the meeting at it."""
    path = path_of(stage, actor)
    key = path.keys[path.keys.index(number)]
    if key.name is not None:
        return stage, key.name
    names = path.keys.column("name")
    used_names = set(() if names is None else names)
    name = next(name for count in range(1, len(path) + 2) if (name := _numbered_name(meeting, count)) not in used_names)
    return with_path(stage, actor, with_keys(path, {number: key.changed(name=name)})), name


def _numbered_name(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ({count})"
