"""What is wrong with this scene file? Everything at once, each with the path of its field and a remedy."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.stage.scene_style import SceneStyle

SHOWN = 20  # of the problems of one file; only these come with a suggestion
KEPT = 1000  # then reading ends: nobody mends more at once, and a million of them take minutes to find
LONGEST_NAME = 60  # in a path


@dataclass(frozen=True)
class Problem:
    """One thing to mend: a sentence, and the path of its field, such as `actors[3].path.keys[2].time`."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


class SceneError(KeyposeError):
    """A scene file that cannot be read; `problems` has the first thousand, `count` is larger if there are more."""

    def __init__(self, problems: tuple[Problem, ...], name: str = "The scene", count: int | None = None) -> None:
        self.problems, self.name = problems, name
        self.count = len(problems) if count is None else count
        lines = [str(problem) for problem in problems[:SHOWN]]
        if self.count > SHOWN:
            lines.append("… and many more." if self.count > KEPT else f"… and {self.count - SHOWN:,} more.")
        many = f"more than {KEPT:,} problems" if self.count > KEPT else f"{self.count:,} problems"
        super().__init__("\n".join([f"{name} has {'a problem' if self.count == 1 else many}:", *lines]))

    def __reduce__(self) -> tuple[type["SceneError"], tuple[tuple[Problem, ...], str, int]]:
        return SceneError, (self.problems, self.name, self.count)


class EnoughError(Exception):
    """A file has so many problems that reading it any further helps nobody."""


class Bad:
    """What a field is that could not be read; its problem has been told."""

    def __repr__(self) -> str:
        return "BAD"


BAD = Bad()


class Tie(Enum):
    """How an actor needs another of whom a field speaks: that one must be placed before it."""

    PARENT = auto()
    LOOKED_AT = auto()
    CARRIES_KEYS = auto()


@dataclass(frozen=True)
class Reference:
    """A field that speaks of an actor: where it is, what it says of it ("stands on"), its name, and who says so."""

    path: str
    verb: str
    name: str
    speaker: str | None = None
    group: bool = False
    """Whether it is the name of a group, as "flock/*"."""
    tie: Tie | None = None
    """How it ties the speaker to that actor, if it does: a field that somebody carries does not."""


@dataclass
class Reading:
    """One file being read: the problems found so far, who was spoken of where, and the scene's style."""

    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    """Of the problems; one more than are kept means that there may be any number."""
    references: list[Reference] = field(default_factory=list)
    speaker: str | None = None
    """The name of the actor that is being read."""
    style: SceneStyle | None = field(default_factory=SceneStyle)
    """None if it could not be read: then nobody knows which effects there are."""
    fields: tuple[str, ...] | None = None
    """The names of the scene's fields; None if nobody knows which there are."""

    def wrong(self, path: str, text: str) -> Bad:
        """Tell a problem; what was given counts as unread. After a thousand, reading ends with an EnoughError."""
        self.count += 1
        if self.count > KEPT:
            raise EnoughError
        self.problems.append(Problem(path, text))
        return BAD

    def suggested(self, wrong: object, names: Iterable[str]) -> str:
        """The nearest of some names; a file that is wrong all over gets no suggestions any more, they take time."""
        return did_you_mean(wrong if isinstance(wrong, str) else "", names) if self.count < SHOWN else ""

    def made(self, build: Callable[..., Any], path: str, /, *given: Any, **said: Any) -> Any | Bad:
        """What `build` makes of what was said; what it refuses is told at the field that it speaks of."""
        try:
            return build(*given, **said)
        except KeyposeError as error:
            return self.wrong(inside(path, *error.at), str(error))

    def check_references(self, known: list[str]) -> None:
        """Everybody who is spoken of must be there, and somebody else; in a group there must be somebody."""
        there = set(known)
        for one in self.references:
            if one.name == one.speaker:
                self.wrong(one.path, f"{shown(one.name)} {one.verb} itself. Name another actor, or leave it out.")
            elif one.group:
                first = one.name.removesuffix("*") + "1"
                if not any(name.startswith(one.name.removesuffix("*")) for name in known):
                    told = f"It {one.verb} the group {shown(one.name)}, and nobody in the scene is in it."
                    self.wrong(one.path, f"{told} Name its members {shown(first)} and so on.")
            elif one.name not in there:
                suggestion = self.suggested(one.name, known)
                self.wrong(one.path, f"It {one.verb} {shown(one.name)}, who is not in the scene.{suggestion}")


def inside(path: str, *way: str | int) -> str:
    """The path of a field or a part: `keys[2].time`; a name that would not read as one is quoted: `effects["a b"]`."""
    for step in way:
        if isinstance(step, int):
            path = f"{path}[{step}]"
        elif step.isidentifier() and len(step) <= LONGEST_NAME:
            path = f"{path}.{step}" if path else step
        else:
            short = step if len(step) <= LONGEST_NAME else step[: LONGEST_NAME - 1] + "…"
            path = f"{path}[{json.dumps(short, ensure_ascii=not short.isprintable())}]"
    return path
