"""Who senses what? Links from objects to fields and to those they track, by name and resolved once (PF89 §3).

An object senses only what it is linked to; links are neither reflexive nor transitive. Those who share a field are
asked about it together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.algebra.attached import EVERYONE, Carried
from keypose.fields.algebra.field import Field
from keypose.fields.describe.field_text import in_words
from keypose.fields.describe.link_text import title_of
from keypose.fields.splines.dynamic_spline import Sensed
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.targets import names_in
from keypose.fields.tracking.trackers import Memory, Tracker
from keypose.maths.arrays import Bools, Floats, Ints, Objects
from keypose.motion.system import Surroundings

Senses = Mapping[Any, float]


@dataclass(frozen=True, eq=False)
class Link:
    """All objects that sense one thing. Rows are those of their points among all points of a company."""

    called: str
    """What it is called on the stage, else what it does, as a person says it; in quotation marks."""
    rows: Ints
    affinity: Floats
    """(rows, 1)"""
    who: Objects
    """The name of the object at each row."""


@dataclass(frozen=True, eq=False)
class Push(Link):
    """Those who sense a field, every group in which is replaced by its members."""

    field: Field

    def of(self, chosen: Bools) -> "Push":
        """The same for some of all rows (rows of the company,)."""
        these = chosen[self.rows]
        return Push(self.called, self.rows[these], self.affinity[these], self.who[these], self.field)


@dataclass(frozen=True, eq=False)
class Track(Link):
    """Those who track or avoid the same."""

    tracker: Tracker | Avoid
    targets: tuple[str, ...]
    """The names of all it is about; none for a place that stays."""
    about: str
    """Its name on the stage, else what it does to whom: the same however strongly it does."""
    points: Ints | None
    """The row of each target, if all of them are objects of one point."""


@dataclass(frozen=True, eq=False)
class Links:
    """All links of a company."""

    pushes: tuple[Push, ...]
    tracks: tuple[Track, ...]
    watches: Mapping[str, tuple[str, ...]]
    """Whom each object must see who is none of them."""

    @cached_property
    def remembered(self) -> tuple[str, ...]:
        """Those of whom must be known where they were: who carries a delayed field."""
        parts = chain.from_iterable(walked(push.field) for push in self.pushes)
        return tuple(
            dict.fromkeys(name for part in parts if isinstance(part, Carried) and part.speed for name in part.names)
        )


def linked(
    members: Mapping[str, Senses], rows: Mapping[str, Ints], said: Surroundings, objects: Collection[str]
) -> Links:
    """The links of those who sense, by name, all names resolved. `rows` are theirs and of other objects."""
    groups = _Groups(said.names, objects)
    reading, watches = _Reading(groups, said), dict[str, tuple[str, ...]]()
    for name, senses in members.items():
        found = reading.known(senses)
        if found is None or name in found.own:
            found = reading.read(senses, name)
        watches[name] = found.outside
        for thing, affinity in zip(found.things, senses.values(), strict=True):
            thing.affinities[name] = affinity
    pushes, tracks = [], []
    for (_, named), thing in reading.things.items():
        sensed, called, affinities = thing.sensed, repr(named or title_of(thing.sensed)), thing.affinities
        these = np.concatenate([rows[name] for name in affinities])
        counts = [len(rows[name]) for name in affinities]
        strength = np.repeat(list(affinities.values()), counts)[:, None]
        who = np.repeat(np.array(list(affinities), dtype=object), counts)
        if isinstance(sensed, Field):
            pushes.append(Push(called, these, strength, who, sensed.resolved(groups.members)))
        else:
            targets = groups.named(names_in(sensed.target), next(iter(affinities)), thing.called)
            about = named or f"{type(sensed).__name__} of {targets}"
            single = all(name in rows and len(rows[name]) == 1 for name in targets)
            points = np.concatenate([rows[name] for name in targets]) if single and targets else None
            tracks.append(Track(called, these, strength, who, sensed, targets, about, points))
    return Links(tuple(pushes), tuple(tracks), watches)


@dataclass(frozen=True, eq=False)
class _Thing:
    """Something that is sensed, and by whom."""

    sensed: Sensed
    called: str
    """As it was said, for whoever has to find it."""
    own: frozenset[str]
    """Those who cannot sense it, for it is theirs alone."""
    outside: tuple[str, ...]
    """Whom it is about who are no objects."""
    affinities: dict[str, float]


@dataclass(frozen=True, eq=False)
class _Known:
    """What somebody senses, as was worked out for the first of all who sense the same."""

    things: tuple[_Thing, ...]
    own: frozenset[str]
    outside: tuple[str, ...]


class _Reading:
    """What everybody senses. Of thousands most sense the same: that is looked at once, not once for each."""

    def __init__(self, groups: "_Groups", said: Surroundings) -> None:
        self.things: dict[tuple[Sensed, str | None], _Thing] = {}
        self._groups = groups
        self._said = said
        self._same: dict[int | str, _Thing] = {}
        self._known: dict[tuple[int | str, ...], _Known] = {}

    def known(self, senses: Senses) -> _Known | None:
        """What an object senses, if somebody sensed exactly these before."""
        return self._known.get(tuple(map(_which, senses)))

    def read(self, senses: Senses, name: str) -> _Known:
        """What an object senses; what it cannot is refused."""
        things: list[_Thing] = []
        for number, sensed in enumerate(senses):
            try:
                things.append(self._thing(sensed, name))
                _check_own(things[-1], name)
            except KeyposeError as error:
                error.at = ("actors", self._said.names.index(name), "mover", "senses", number, *error.at)
                raise
        known = _Known(
            tuple(things),
            frozenset().union(*(thing.own for thing in things)),
            tuple(dict.fromkeys(other for thing in things for other in thing.outside)),
        )
        self._known[tuple(map(_which, senses))] = known
        return known

    def _thing(self, sensed: Sensed | str, name: str) -> _Thing:
        which = _which(sensed)
        if which not in self._same:
            found = _found(sensed, name, self._said)
            key = found, sensed if isinstance(sensed, str) else None
            if key not in self.things:
                called = repr(sensed) if isinstance(sensed, str) else in_words(sensed)
                outside = self._groups.outside(found.names, name, called)
                self.things[key] = _Thing(found, called, _own(found), outside, {})
            self._same[which] = self.things[key]
        return self._same[which]


def _which(sensed: Sensed | str) -> int | str:
    """The same for the same thing: quicker than to compare fields by value, a group of thousands among them."""
    return sensed if isinstance(sensed, str) else id(sensed)


def walked(field: Field) -> Iterable[Field]:
    """A field and all it is made of."""
    yield field
    for part in field.parts:
        yield from walked(part)


class _Groups:
    """Everybody on a stage, who of them are the objects, and who is in which group."""

    def __init__(self, names: Sequence[str], objects: Collection[str]) -> None:
        self._names = dict.fromkeys(names)
        self._objects = objects
        self._members: dict[str, tuple[str, ...]] = {}

    def members(self, group: str) -> tuple[str, ...]:
        """Those whose names begin as "flock/*" does."""
        if group not in self._members:
            begin = group.removesuffix("*")
            self._members[group] = tuple(name for name in self._names if name.startswith(begin))
        return self._members[group]

    def outside(self, names: tuple[str, ...], who: str, called: str) -> tuple[str, ...]:
        """Those of whom `named` tells who are no objects."""
        return tuple(name for name in self.named(names, who, called) if name not in self._objects)

    def named(self, names: Iterable[str], who: str, called: str) -> tuple[str, ...]:
        """Everybody that these names and groups stand for; whoever is not there is missed."""
        found: list[str] = []
        for name in names:
            if name.endswith(EVERYONE):
                members = self.members(name)
                if not members:
                    raise UnknownNameError(
                        f"Actor {who!r} senses {called}, which speaks of the group {shown(name)}, and nobody is in it. "
                        f"Its members are called {name.removesuffix('*')}1, {name.removesuffix('*')}2 and so on."
                    )
                found += members
            elif name in self._names:
                found.append(name)
            else:
                raise UnknownNameError(
                    f"Actor {who!r} senses {called}, which speaks of {shown(name)}, who is not on the stage."
                    f"{did_you_mean(name, self._names)}"
                )
        return tuple(dict.fromkeys(found))


def _found(sensed: Sensed | str, who: str, said: Surroundings) -> Sensed:
    """What an object senses."""
    if not isinstance(sensed, str):
        if not isinstance(sensed, Field | Tracker | Avoid):
            raise KeyposeError(f"Actor {who!r} senses {shown(sensed)}. Give a field, or the name of one on the stage.")
        return sensed
    if sensed not in said.fields:
        raise UnknownNameError(
            f"Actor {who!r} senses the field {shown(sensed)}, which is not on the stage."
            f"{did_you_mean(sensed, said.fields)}"
        )
    found = said.fields[sensed]
    assert isinstance(found, Field | Tracker | Avoid)
    return found


def _own(sensed: Sensed) -> frozenset[str]:
    """Whose alone it is: nobody is moved by a field that it carries itself, nor tracks itself."""
    if isinstance(sensed, Field):
        carriers = (part.carrier for part in walked(sensed) if isinstance(part, Carried))
        return frozenset(carrier for carrier in carriers if isinstance(carrier, str))
    return frozenset(sensed.names if len(sensed.names) == 1 else ())


def _check_own(thing: _Thing, who: str) -> None:
    if who not in thing.own:
        return
    if isinstance(thing.sensed, Field):
        raise KeyposeError(
            f"Actor {who!r} senses {thing.called}, a field that it carries itself. Link it to somebody else's."
        )
    raise KeyposeError(f"Actor {who!r} tracks itself. Give the name of another actor.")


def remembered(
    before: Sequence[Track], memories: Sequence[Memory | None], now: Sequence[Track], begun: Sequence[Memory | None]
) -> tuple[Memory | None, ...]:
    """What trackers remember as they go on among others: as they `begun` now, but for those who tracked the same."""
    known = {track.tracker: (track, memory) for track, memory in zip(before, memories, strict=True)}
    found = []
    for track, memory in zip(now, begun, strict=True):
        if memory is not None and track.tracker in known:
            old, kept = known[track.tracker]
            assert kept is not None
            memory = _taken_over(track, memory, old, kept)
        found.append(memory)
    return tuple(found)


def _taken_over(track: Track, memory: Memory, old: Track, kept: Memory) -> Memory:
    if np.array_equal(track.who, old.who):
        return kept
    new, then = _numbered(track.who), _numbered(old.who)
    both = [(row, then[point]) for point, row in new.items() if point in then]
    if not both:
        return memory
    rows, others = np.array(both).T
    parts = []
    for mine, theirs in ((memory.wanted, kept.wanted), (memory.last, kept.last), (memory.total, kept.total)):
        mine = mine.copy()
        mine[rows] = theirs[others]
        parts.append(mine)
    return Memory(*parts)


def _numbered(who: Objects) -> dict[tuple[str, int], int]:
    """The row of each point, by the name of its object and its number there."""
    count: dict[str, int] = {}
    found = {}
    for row, name in enumerate(who.tolist()):
        found[name, count.setdefault(name, 0)] = row
        count[name] += 1
    return found
