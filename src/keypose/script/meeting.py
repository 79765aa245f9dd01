"""What is a meeting? Some actors, each with a goal on its own path, who are to be there at the same time (LG95 §5)."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeGuard

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import as_number, parse_choice, parse_flag

OF_CHOICES = ("targets", "bodies")
DEFAULT_PATIENCE = 2.0  # [s]


@dataclass(frozen=True)
class TurnGoal:
    """The facing of a key as a goal: the target of a turn is to come to it."""

    key: str

    def __post_init__(self) -> None:
        if not isinstance(self.key, str) or not self.key:
            raise KeyposeError(f'A turn was given {short_repr(self.key)}. Name a key of the path, as turn("raised").')

    def __repr__(self) -> str:
        return f"turn({self.key!r})"


def turn(key: str) -> TurnGoal:
    """A goal of a meeting: that the target of a turn comes to the facing of a key."""
    return TurnGoal(key)


Goal = str | float | TurnGoal
"""The name of a key, a distance along the path [m], or `turn("key")`."""


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """Actors who are to reach their goals at the same time, made by `Script.meet`.

    It waits until all meetings it comes `after` are done, or `need` of them; then it is active, and whoever would be
    too early goes slower. A goal that was passed while it waited counts as reached, unless it is a `gate`: then nobody
    passes before it is active. `of` says whether targets or bodies meet. If somebody it waits for is stuck for
    `patience` seconds it has failed, and everybody goes on.
    """

    name: str
    goals: Mapping[str, Goal] = field(hash=False)
    after: tuple[str, ...] = ()
    need: int | None = None
    of: Literal["targets", "bodies"] = "targets"
    gate: bool = False
    patience: float = DEFAULT_PATIENCE

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            remedy = "Give it a name." if isinstance(self.name, str) else 'Give a text, as name="arch".'
            raise KeyposeError(f"A meeting is named {short_repr(self.name)}. {remedy}", at=("name",))
        owner = f"Meeting {short_repr(self.name)}"
        values = self.__dict__
        values["goals"] = MappingProxyType(_check_goals(self.goals, owner))
        values["after"] = meeting_names(self.after, owner)
        if self.need is not None:
            count = as_number(self.need)
            if count is None or count != round(count) or not 1 <= count <= len(self.after):
                raise KeyposeError(
                    f"{owner} needs {short_repr(self.need)} of the {len(self.after)} meetings it comes after. "
                    "Give a whole number from 1 to as many, or leave it out: then it needs all.",
                    at=("need",),
                )
            values["need"] = round(count)
        parse_choice(self.of, OF_CHOICES, f"{owner} is of")
        parse_flag(self.gate, f"{owner} has gate")
        patience = as_number(self.patience)
        if patience is None or not 0 < patience <= 1e6:
            given = short_repr(self.patience) if patience is None else f"{patience:g}"
            raise KeyposeError(f"{owner} has patience={given}. Give seconds above 0, up to 1e+06.", at=("patience",))
        values["patience"] = patience

    def __reduce__(self) -> tuple[Any, ...]:
        values = (self.name, dict(self.goals), self.after, self.need, self.of, self.gate, self.patience)
        return _rebuild, values

    def __repr__(self) -> str:
        rest = [f"after={list(self.after)!r}"] if self.after else []
        defaults = {"need": None, "of": "targets", "gate": False, "patience": DEFAULT_PATIENCE}
        rest += [f"{name}={getattr(self, name)!r}" for name, value in defaults.items() if getattr(self, name) != value]
        return f"Meeting({', '.join([f'name={self.name!r}, goals={dict(self.goals)!r}', *rest])})"


def _rebuild(*values: Any) -> Meeting:
    names = ("name", "goals", "after", "need", "of", "gate", "patience")
    return Meeting(**dict(zip(names, values, strict=True)))


def meeting_names(given: object, owner: str) -> tuple[str, ...]:
    """The names of the meetings that one comes after: of one, or of several, each given itself or by its name."""
    if isinstance(given, str | Meeting):
        given = (given,)
    if not is_collection(given):
        raise KeyposeError(
            f"{owner} comes after {short_repr(given)}. Give meetings of the script, or their names.", at=("after",)
        )
    names: dict[str, None] = {}
    for one in given:
        if not isinstance(one, str | Meeting) or not one:
            raise KeyposeError(
                f"{owner} comes after {short_repr(one)}. Give meetings of the script, or their names.", at=("after",)
            )
        names[one if isinstance(one, str) else one.name] = None
    return tuple(sorted(names) if isinstance(given, Set) else names)  # of what has no order, always the same


def is_collection(given: object) -> TypeGuard[Iterable[Any]]:
    """Whether something is a list of things, in a wide sense: no text, nothing by names, no numbers."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | np.ndarray)


def _check_goals(given: object, owner: str) -> dict[str, Goal]:
    if not isinstance(given, Mapping) or not given:
        raise KeyposeError(
            f'{owner} was given {short_repr(given)}. Give a goal for each actor, as {{"red": "arch", "blue": 2.5}}.',
            at=("goals",),
        )
    goals: dict[str, Goal] = {}
    for actor, goal in given.items():
        if not isinstance(actor, str) or not actor:
            raise KeyposeError(f"{owner} has a goal for {short_repr(actor)}. Name an actor.", at=("goals",))
        goals[actor] = _check_goal(goal, f"{owner} has the goal {short_repr(goal)} for {short_repr(actor)}", actor)
    return goals


def _check_goal(goal: object, what: str, actor: str) -> Goal:
    if isinstance(goal, TurnGoal) or (isinstance(goal, str) and goal):
        return goal
    distance = as_number(goal)
    if distance is None or distance < 0:
        raise KeyposeError(
            f'{what}. Give the name of a key, a distance from 0 on [m], or turn("key").', at=("goals", actor)
        )
    return distance
