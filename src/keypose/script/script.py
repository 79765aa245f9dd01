"""In which order do meetings happen? A script is a graph of them: each may come after others (LG95 §6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.script.meeting import DEFAULT_PATIENCE, Goal, Meeting, is_collection

MAX_LISTED_NAMES = 6  # names in a sentence


class Script:
    """Meetings, in the order they were said. Compared by value; that of a stage takes no more of them."""

    def __init__(self, meetings: "Iterable[Meeting] | Script" = ()) -> None:
        self._by_name: dict[str, Meeting] = {}
        self._is_frozen = False
        if not is_collection(meetings):
            raise KeyposeError(f"A script was given {short_repr(meetings)}. Give a list of meetings, or nothing.")
        for meeting in meetings:
            self._add(meeting)

    def meet(
        self,
        goals: Mapping[str, Goal],
        *,
        after: object = (),
        need: int | None = None,
        of: Literal["targets", "bodies"] = "targets",
        name: str | None = None,
        gate: bool = False,
        patience: float = DEFAULT_PATIENCE,
    ) -> Meeting:
        """Let actors reach their goals at the same time; one meeting more, which others may come after.

        A goal is the name of a key, a distance along the path [m], or `turn("key")`. It is active when the meetings it
        comes `after` are done, or `need` of them. `of="bodies"` waits for the bodies, else targets meet. With `gate`
        nobody passes its goal before. Somebody stuck for `patience` seconds makes it fail.
        """
        meeting_name = self.free_name if name is None else name
        after = self._check_parents(after, meeting_name)
        meeting = Meeting(
            name=meeting_name,
            goals=goals,
            after=after,  # type: ignore[arg-type]  # it makes names of whatever can be one
            need=need,
            of=of,
            gate=gate,
            patience=patience,
        )
        self._add(meeting)
        return meeting

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """All meetings."""
        return tuple(self._by_name.values())

    @property
    def actors(self) -> tuple[str, ...]:
        """Everybody who meets somebody, once."""
        return tuple(dict.fromkeys(name for meeting in self for name in meeting.goals))

    def frozen(self) -> "Script":
        """A script of the same meetings that takes no more, after a look at their order."""
        if self._is_frozen:
            return self
        copy = Script(self)
        copy.in_order()
        copy._is_frozen = True
        return copy

    def in_order(self) -> tuple[Meeting, ...]:
        """The meetings, each behind all that it comes after; refuses a circle, and what is not there."""
        return tuple(self[name] for name in topological_order({meeting.name: meeting.after for meeting in self}))

    def _add(self, meeting: Meeting) -> None:
        if self._is_frozen:
            raise KeyposeError("This script belongs to a stage. Make another: Script(stage.script).")
        if not isinstance(meeting, Meeting):
            raise KeyposeError(f"A script was given {short_repr(meeting)}. Give meetings.")
        if meeting.name in self._by_name:
            raise KeyposeError(
                f"Two meetings are named {short_repr(meeting.name)}. Give each its own name.", at=("name",)
            )
        self._by_name[meeting.name] = meeting

    def _check_parents(self, after: object, meeting_name: str) -> object:
        """What a meeting comes after; one of another script is not taken for what has its name here."""
        given = (after,) if isinstance(after, Meeting) else after
        if isinstance(given, str) or not is_collection(given):
            return after
        collection = given if isinstance(given, Set) else list(given)
        for one in collection:
            if isinstance(one, Meeting) and one.name in self._by_name and self._by_name[one.name] != one:
                raise KeyposeError(
                    f"Meeting {short_repr(meeting_name)} comes after {short_repr(one.name)} of another "
                    "script, and here "
                    f"{short_repr(one.name)} is another meeting. Give a meeting of this script, or its name.",
                    at=("after",),
                )
        return collection

    @property
    def free_name(self) -> str:
        """What one more meeting is called that is given no name."""
        number = len(self._by_name) + 1
        while f"meeting {number}" in self._by_name:
            number += 1
        return f"meeting {number}"

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Meeting:
        if not isinstance(name, str) or name not in self._by_name:
            text = name if isinstance(name, str) else short_repr(name)
            raise UnknownNameError(f"No meeting is named {short_repr(name)}.{did_you_mean(text, self._by_name)}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Meeting]:
        return iter(self.meetings)

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        return self._by_name == other._by_name if isinstance(other, Script) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it can be added to

    def __repr__(self) -> str:
        return f"Script({list(self.meetings)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.meetings, self._is_frozen)


def _rebuild(meetings: tuple[Meeting, ...], is_frozen: bool) -> Script:
    script = Script(meetings)
    return script.frozen() if is_frozen else script


def topological_order(after: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names of meetings, each behind all that it comes `after`; refuses a circle, and what is not there."""
    order: dict[str, None] = {}
    for name in after:
        if name not in order:
            _add_with_parents(name, after, order)
    return tuple(order)


def _add_with_parents(first: str, after: Mapping[str, Sequence[str]], order: dict[str, None]) -> None:
    """Add a meeting, behind all that it comes after; without a call for each, as scripts may be long chains."""
    visiting: dict[str, Iterator[str]] = {}
    stack = [first]
    while stack:
        name = stack[-1]
        if name not in visiting:
            visiting[name] = iter(after[name])
        for parent in visiting[name]:
            if parent not in after:
                raise UnknownNameError(
                    f"Meeting {short_repr(name)} comes after {short_repr(parent)}, which is not in the script."
                    f"{did_you_mean(parent, after)}",
                    at=_error_path(name, after),
                )
            if parent in visiting:
                cycle = [*stack[stack.index(parent) :], parent]
                raise KeyposeError(
                    f"Meetings come after each other in a circle: {' after '.join(_abbreviate(cycle))}. "
                    "Let one of them come after something else.",
                    at=_error_path(name, after),
                )
            if parent not in order:
                stack.append(parent)
                break
        else:
            order[name] = None
            del visiting[name]
            stack.pop()


def _abbreviate(cycle: list[str]) -> list[str]:
    """The names on a circle, of a long one the first and the last."""
    names = [short_repr(name) for name in cycle]
    return names if len(names) <= MAX_LISTED_NAMES else [*names[:3], "…", *names[-2:]]


def _error_path(name: str, after: Mapping[str, Sequence[str]]) -> tuple[int, str]:
    return [*after].index(name), "after"
