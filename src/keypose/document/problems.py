"""What is wrong with this scene file? Everything at once, each with the path of its field and a remedy."""

from dataclasses import dataclass, field

from keypose.errors import KeyposeError, did_you_mean, shown

SHOWN = 20  # of the problems of one file


@dataclass(frozen=True)
class Problem:
    """One thing to mend: a sentence, and the path of its field, such as `actors[3].path.keys[2].time`."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


class SceneError(KeyposeError):
    """A scene file that cannot be read; `problems` has all there are."""

    def __init__(self, problems: "tuple[Problem, ...]", name: str = "The scene") -> None:
        self.problems = problems
        count = len(problems)
        lines = [str(problem) for problem in problems[:SHOWN]]
        if count > SHOWN:
            lines.append(f"… and {count - SHOWN:,} more.")
        head = f"{name} has {'a problem' if count == 1 else f'{count:,} problems'}:"
        super().__init__("\n".join([head, *lines]))

    def __reduce__(self) -> "tuple[type[SceneError], tuple[tuple[Problem, ...]]]":
        return SceneError, (self.problems,)


class Bad:
    """What a field is that could not be read; its problem has been told."""

    def __repr__(self) -> str:
        return "BAD"


BAD = Bad()


@dataclass
class Reading:
    """One file being read: the problems found so far, and who was spoken of where."""

    problems: list[Problem] = field(default_factory=list)
    references: list[tuple[str, str, str]] = field(default_factory=list)
    """(path, what the field says of the actor, the actor's name)"""
    tension: float = 0.0
    """The scene's default, for paths that say none."""
    effects: dict[str, dict[str, float | str]] = field(default_factory=dict)

    def wrong(self, path: str, text: str) -> Bad:
        """Tell a problem; what was given counts as unread."""
        self.problems.append(Problem(path, text))
        return BAD

    def check_references(self, known: "list[str]") -> None:
        """Everybody who is spoken of must be there."""
        there = set(known)
        for path, verb, name in self.references:
            if name not in there:
                self.wrong(path, f"It {verb} {shown(name)}, who is not in the scene.{did_you_mean(name, known)}")
