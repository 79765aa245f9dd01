"""What is wrong with this scene file? Everything at once, each with the path of its field and a remedy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from keypose.errors import KeyposeError, did_you_mean, join_path, short_repr
from keypose.stage import SceneStyle

MAX_SHOWN = 20  # of the problems of one file; only these come with a suggestion
MAX_PROBLEMS = 1000  # then reading ends: nobody mends more at once, and a million of them take minutes to find


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
        lines = [str(problem) for problem in problems[:MAX_SHOWN]]
        if self.count > MAX_SHOWN:
            lines.append("… and many more." if self.count > MAX_PROBLEMS else f"… and {self.count - MAX_SHOWN:,} more.")
        many = f"more than {MAX_PROBLEMS:,} problems" if self.count > MAX_PROBLEMS else f"{self.count:,} problems"
        super().__init__("\n".join([f"{name} has {'a problem' if self.count == 1 else many}:", *lines]))

    def __reduce__(self) -> tuple[type["SceneError"], tuple[tuple[Problem, ...], str, int]]:
        return SceneError, (self.problems, self.name, self.count)


class TooManyProblemsError(Exception):
    """A file has so many problems that reading it any further helps nobody."""


class Invalid:
    """What a field is that could not be read; its problem has been told."""

    def __repr__(self) -> str:
        return "BAD"


INVALID = Invalid()


class Dependency(Enum):
    """How an actor needs another of whom a field speaks: that one must be placed before it."""

    PARENT = auto()
    LOOK_TARGET = auto()
    KEY_CARRIER = auto()


@dataclass(frozen=True)
class Reference:
    """A field that speaks of an actor: where it is, what it says of it ("stands on"), its name, and who says so."""

    path: str
    verb: str
    name: str
    source: str | None = None
    is_group: bool = False
    """Whether it is the name of a group, as "flock/*"."""
    dependency: Dependency | None = None
    """How it ties the speaker to that actor, if it does: a field that somebody carries does not."""


@dataclass
class ReadContext:
    """One file being read: the problems found so far, who was spoken of where, and the scene's style."""

    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    """Of the problems; one more than are kept means that there may be any number."""
    references: list[Reference] = field(default_factory=list)
    actors: dict[str, Any] = field(default_factory=dict)
    """The actors that could be read, by their paths."""
    current_actor: str | None = None
    """The name of the actor that is being read."""
    style: SceneStyle | None = field(default_factory=SceneStyle)
    """None if it could not be read: then nobody knows which effects there are."""
    field_names: tuple[str, ...] | None = None
    """The names of the scene's fields; None if nobody knows which there are."""

    def add_problem(self, path: str, text: str) -> Invalid:
        """Add a problem; what was given counts as unread. After a thousand, raise TooManyProblemsError."""
        self.count += 1
        if self.count > MAX_PROBLEMS:
            raise TooManyProblemsError
        self.problems.append(Problem(path, text))
        return INVALID

    def suggestion(self, given: object, names: Iterable[str]) -> str:
        """The nearest of some names; a file that is wrong all over gets no suggestions any more, they take time."""
        return did_you_mean(given if isinstance(given, str) else "", names) if self.count < MAX_SHOWN else ""

    def construct(self, factory: Callable[..., Any], path: str, /, *args: Any, **kwargs: Any) -> Any | Invalid:
        """What `factory` makes of what was said; what it refuses is told at the field that it speaks of."""
        try:
            return factory(*args, **kwargs)
        except KeyposeError as error:
            return self.add_problem(join_path(path, *error.at), str(error))

    def check_references(self, names: list[str]) -> None:
        """Everybody who is spoken of must be there, and somebody else; in a group there must be somebody."""
        known_names = set(names)
        for reference in self.references:
            if reference.name == reference.source:
                self.add_problem(
                    reference.path,
                    f"{short_repr(reference.name)} {reference.verb} itself. Name another actor, or leave it out.",
                )
            elif reference.is_group:
                first_member = reference.name.removesuffix("*") + "1"
                if not any(name.startswith(reference.name.removesuffix("*")) for name in names):
                    message = (
                        f"It {reference.verb} the group {short_repr(reference.name)}, and nobody in the scene is in it."
                    )
                    self.add_problem(
                        reference.path, f"{message} Name its members {short_repr(first_member)} and so on."
                    )
            elif reference.name not in known_names:
                suggestion = self.suggestion(reference.name, names)
                self.add_problem(
                    reference.path,
                    f"It {reference.verb} {short_repr(reference.name)}, who is not in the scene.{suggestion}",
                )
