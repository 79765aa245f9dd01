"""In which order do meetings happen? A script is a graph of them: each may come after others (LG95 §6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.script.meeting import PATIENCE, Goal, Meeting, is_several

LONGEST_TOLD = 6  # names in a sentence


class Script:
    """Meetings, in the order they were said. Compared by value; that of a stage takes no more of them."""

    def __init__(self, meetings: "Iterable[Meeting] | Script" = ()) -> None:
        self._by_name: dict[str, Meeting] = {}
        self._is_closed = False
        if not is_several(meetings):
            raise KeyposeError(f"A script was given {shown(meetings)}. Give a list of meetings, or nothing.")
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
        patience: float = PATIENCE,
    ) -> Meeting:
        """Let actors reach their goals at the same time; one meeting more, which others may come after.

        A goal is the name of a key, a distance along the path [m], or `turn("key")`. It is active when the meetings it
        comes `after` are done, or `need` of them. `of="bodies"` waits for the bodies, else targets meet. With `gate`
        nobody passes its goal before. Somebody stuck for `patience` seconds makes it fail.
        """
        called = self.free_name if name is None else name
        after = self._ours(after, called)
        meeting = Meeting(
            name=called,
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

    def closed(self) -> "Script":
        """A script of the same meetings that takes no more, after a look at their order."""
        if self._is_closed:
            return self
        made = Script(self)
        made.in_order()
        made._is_closed = True
        return made

    def in_order(self) -> tuple[Meeting, ...]:
        """The meetings, each behind all that it comes after; refuses a circle, and what is not there."""
        return tuple(self[name] for name in ordered({meeting.name: meeting.after for meeting in self}))

    def _add(self, meeting: Meeting) -> None:
        if self._is_closed:
            raise KeyposeError("This script belongs to a stage. Make another: Script(stage.script).")
        if not isinstance(meeting, Meeting):
            raise KeyposeError(f"A script was given {shown(meeting)}. Give meetings.")
        if meeting.name in self._by_name:
            raise KeyposeError(f"Two meetings are named {shown(meeting.name)}. Give each its own name.", at=("name",))
        self._by_name[meeting.name] = meeting

    def _ours(self, after: object, called: str) -> object:
        """What a meeting comes after; one of another script is not taken for what has its name here."""
        given = (after,) if isinstance(after, Meeting) else after
        if isinstance(given, str) or not is_several(given):
            return after
        several = given if isinstance(given, Set) else list(given)
        for one in several:
            if isinstance(one, Meeting) and one.name in self._by_name and self._by_name[one.name] != one:
                raise KeyposeError(
                    f"Meeting {shown(called)} comes after {shown(one.name)} of another script, and here "
                    f"{shown(one.name)} is another meeting. Give a meeting of this script, or its name.",
                    at=("after",),
                )
        return several

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
            said = name if isinstance(name, str) else shown(name)
            raise UnknownNameError(f"No meeting is named {shown(name)}.{did_you_mean(said, self._by_name)}")
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
        return _said_again, (self.meetings, self._is_closed)


def _said_again(meetings: tuple[Meeting, ...], is_closed: bool) -> Script:
    made = Script(meetings)
    return made.closed() if is_closed else made


def ordered(after: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names of meetings, each behind all that it comes `after`; refuses a circle, and what is not there."""
    found: dict[str, None] = {}
    for name in after:
        if name not in found:
            _follow(name, after, found)
    return tuple(found)


def _follow(first: str, after: Mapping[str, Sequence[str]], found: dict[str, None]) -> None:
    """Add a meeting, behind all that it comes after; without a call for each, as scripts may be long chains."""
    way: dict[str, Iterator[str]] = {}
    ahead = [first]
    while ahead:
        name = ahead[-1]
        if name not in way:
            way[name] = iter(after[name])
        for parent in way[name]:
            if parent not in after:
                raise UnknownNameError(
                    f"Meeting {shown(name)} comes after {shown(parent)}, which is not in the script."
                    f"{did_you_mean(parent, after)}",
                    at=_at(name, after),
                )
            if parent in way:
                circle = [*ahead[ahead.index(parent) :], parent]
                raise KeyposeError(
                    f"Meetings come after each other in a circle: {' after '.join(_told(circle))}. "
                    "Let one of them come after something else.",
                    at=_at(name, after),
                )
            if parent not in found:
                ahead.append(parent)
                break
        else:
            found[name] = None
            del way[name]
            ahead.pop()


def _told(circle: list[str]) -> list[str]:
    """The names on a circle, of a long one the first and the last."""
    told = [shown(name) for name in circle]
    return told if len(told) <= LONGEST_TOLD else [*told[:3], "…", *told[-2:]]


def _at(name: str, after: Mapping[str, Sequence[str]]) -> tuple[int, str]:
    return [*after].index(name), "after"
