"""What becomes of meetings when somebody, or a key, is called otherwise or goes? They speak of it as it is now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from keypose.curves import Keys
from keypose.errors import KeyposeError
from keypose.script import Goal, Meeting, Script, TurnGoal
from keypose.stage import Actor, Stage


def rename_in_script(script: Script | None, old: str, new: str) -> Script | None:
    """A script in which an actor is called otherwise."""
    if script is None or old not in script.actors:
        return script
    return Script(
        replace(one, goals={new if name == old else name: goal for name, goal in one.goals.items()}) for one in script
    )


def without_actors(script: Script | None, removed_names: Collection[str]) -> Script | None:
    """A script in which some come no more; meetings that nobody is left of go."""
    if script is None or not any(name in removed_names for name in script.actors):
        return script
    remaining = [(one, {name: goal for name, goal in one.goals.items() if name not in removed_names}) for one in script]
    result = Script(replace(one, goals=goals) if goals else one for one, goals in remaining)
    for one, goals in remaining:
        result = result if goals else without_meeting(result, one.name)
    return result


def without_meeting(script: Script, removed_name: str) -> Script:
    """A script without a meeting: whoever waited for it waits for what it waited for."""
    before = script[removed_name].after
    return Script(
        with_predecessors(one, [name for each in one.after for name in (before if each == removed_name else (each,))])
        for one in script
        if one.name != removed_name
    )


def with_predecessors(meeting: Meeting, after: Sequence[str]) -> Meeting:
    """A meeting that waits for others; it needs no more of them than there are."""
    names = tuple(dict.fromkeys(after))
    if names == meeting.after:
        return meeting
    need = None if meeting.need is None or meeting.need >= len(names) else meeting.need
    return replace(meeting, after=names, need=need)


def with_renamed_goals(stage: Stage, actor: Actor, old: Keys, new: Keys) -> Stage:
    """The stage with an actor whose keys, as many as before, may be called otherwise: its goals go with them."""
    script = rename_goals(stage.script, actor.name, old, new)
    if script is stage.script:
        return stage.with_actor(actor)
    actors = [actor if one.name == actor.name else one for one in stage.actors]
    return stage.changed(actors=actors, script=script)


def rename_goals(script: Script | None, actor: str, old: Keys, new: Keys) -> Script | None:
    """A script whose goals go with the keys of somebody, as many as before, which may be called otherwise."""
    names = {key: new[old.index(key)].name for _, key in _key_goals(script, actor)}
    if script is None or all(key == name for key, name in names.items()):
        return script
    new_names: dict[str, str] = {}
    for meeting, key in _key_goals(script, actor):
        name = names[key]
        if name is None:
            raise KeyposeError(
                f"Key {key!r} of {actor!r} is its goal in meeting {meeting!r}, which knows it by its name. "
                "Give it another name, or the meeting another goal first."
            )
        new_names[key] = name
    return Script(replace(one, goals=_rename_goal(one.goals, actor, new_names)) for one in script)


def check_no_goals(stage: Stage, actor: str, keys: Keys, removed_indices: Sequence[int]) -> None:
    """Refuse to take keys away that somebody is to be at."""
    for meeting, key in _key_goals(stage.script, actor):
        if keys.index(key) in removed_indices:
            raise KeyposeError(
                f"Key {key!r} of {actor!r} cannot go: it is its goal in meeting {meeting!r}. "
                "Give that another goal first."
            )


def _key_goals(script: Script | None, actor: str) -> Iterator[tuple[str, str]]:
    """The keys that an actor is to be at, by their names, each behind its meeting."""
    for meeting in () if script is None else script:
        goal = meeting.goals.get(actor)
        if isinstance(goal, TurnGoal):
            yield meeting.name, goal.key
        elif isinstance(goal, str):
            yield meeting.name, goal


def _rename_goal(goals: Mapping[str, Goal], actor: str, names: Mapping[str, str]) -> dict[str, Goal]:
    goal = goals.get(actor)
    if isinstance(goal, TurnGoal):
        return {**goals, actor: TurnGoal(names[goal.key])}
    return {**goals, actor: names[goal]} if isinstance(goal, str) else dict(goals)
