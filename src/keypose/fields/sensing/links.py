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

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.fields.algebra.carrier import GROUP_SUFFIX, CarriedField
from keypose.fields.algebra.field import Field
from keypose.fields.describe.field_text import describe_field
from keypose.fields.describe.link_text import title_of
from keypose.fields.splines.dynamic_spline import FieldOrTracker
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.targets import target_names
from keypose.fields.tracking.trackers import Tracker, TrackerMemory
from keypose.maths import Bools, Floats, Ints, Objects
from keypose.motion import SystemContext

AffinityMap = Mapping[Any, float]


@dataclass(frozen=True, eq=False)
class Link:
    """All objects that sense one thing. Rows are those of their points among all points of a company."""

    title: str
    """What it is called on the stage, else what it does, as a person says it; in quotation marks."""
    rows: Ints
    affinity: Floats
    """(rows, 1)"""
    names: Objects
    """The name of the object at each row."""


@dataclass(frozen=True, eq=False)
class FieldLink(Link):
    """Those who sense a field, every group in which is replaced by its members."""

    field: Field

    def select(self, is_chosen: Bools) -> "FieldLink":
        """The same for some of all rows (rows of the company,)."""
        is_selected = is_chosen[self.rows]
        return FieldLink(
            self.title, self.rows[is_selected], self.affinity[is_selected], self.names[is_selected], self.field
        )


@dataclass(frozen=True, eq=False)
class TrackerLink(Link):
    """Those who track or avoid the same."""

    tracker: Tracker | Avoid
    targets: tuple[str, ...]
    """The names of all it is about; none for a place that stays."""
    subject: str
    """Its name on the stage, else what it does to whom: the same however strongly it does."""
    target_rows: Ints | None
    """The row of each target, if all of them are objects of one point."""


@dataclass(frozen=True, eq=False)
class Links:
    """All links of a company."""

    field_links: tuple[FieldLink, ...]
    tracker_links: tuple[TrackerLink, ...]
    watches: Mapping[str, tuple[str, ...]]
    """Whom each object must see who is none of them."""

    @cached_property
    def delayed_carriers(self) -> tuple[str, ...]:
        """Those of whom must be known where they were: who carries a delayed field."""
        parts = chain.from_iterable(walk_field(push.field) for push in self.field_links)
        return tuple(
            dict.fromkeys(
                name for part in parts if isinstance(part, CarriedField) and part.speed for name in part.names
            )
        )


def build_links(
    senses_by_name: Mapping[str, AffinityMap],
    rows: Mapping[str, Ints],
    context: SystemContext,
    objects: Collection[str],
) -> Links:
    """The links of those who sense, by name, all names resolved. `rows` are theirs and of other objects."""
    groups = _Groups(context.names, objects)
    resolver, watches = _SenseResolver(groups, context), dict[str, tuple[str, ...]]()
    for name, senses in senses_by_name.items():
        sense_set = resolver.find(senses)
        if sense_set is None or name in sense_set.owners:
            sense_set = resolver.resolve(senses, name)
        watches[name] = sense_set.outside_names
        for item, affinity in zip(sense_set.items, senses.values(), strict=True):
            item.affinities[name] = affinity
    field_links, tracker_links = [], []
    for (_, field_name), item in resolver.items.items():
        sensed, title, affinities = item.sensed, repr(field_name or title_of(item.sensed)), item.affinities
        link_rows = np.concatenate([rows[name] for name in affinities])
        counts = [len(rows[name]) for name in affinities]
        affinity_column = np.repeat(list(affinities.values()), counts)[:, None]
        names = np.repeat(np.array(list(affinities), dtype=object), counts)
        if isinstance(sensed, Field):
            field_links.append(FieldLink(title, link_rows, affinity_column, names, sensed.resolved(groups.members)))
        else:
            targets = groups.expand_names(target_names(sensed.target), next(iter(affinities)), item.title)
            subject = field_name or f"{type(sensed).__name__} of {targets}"
            is_single_point = all(name in rows and len(rows[name]) == 1 for name in targets)
            target_rows = np.concatenate([rows[name] for name in targets]) if is_single_point and targets else None
            tracker_links.append(
                TrackerLink(title, link_rows, affinity_column, names, sensed, targets, subject, target_rows)
            )
    return Links(tuple(field_links), tuple(tracker_links), watches)


@dataclass(frozen=True, eq=False)
class _SensedItem:
    """Something that is sensed, and by whom."""

    sensed: FieldOrTracker
    title: str
    """As it was said, for whoever has to find it."""
    owners: frozenset[str]
    """Those who cannot sense it, for it is theirs alone."""
    outside_names: tuple[str, ...]
    """Whom it is about who are no objects."""
    affinities: dict[str, float]


@dataclass(frozen=True, eq=False)
class _SenseSet:
    """What somebody senses, as was worked out for the first of all who sense the same."""

    items: tuple[_SensedItem, ...]
    owners: frozenset[str]
    outside_names: tuple[str, ...]


class _SenseResolver:
    """What everybody senses. Of thousands most sense the same: that is looked at once, not once for each."""

    def __init__(self, groups: "_Groups", context: SystemContext) -> None:
        self.items: dict[tuple[FieldOrTracker, str | None], _SensedItem] = {}
        self._groups = groups
        self._system_context = context
        self._items_by_key: dict[int | str, _SensedItem] = {}
        self._sets_by_key: dict[tuple[int | str, ...], _SenseSet] = {}

    def find(self, senses: AffinityMap) -> _SenseSet | None:
        """What an object senses, if somebody sensed exactly these before."""
        return self._sets_by_key.get(tuple(map(_sense_key, senses)))

    def resolve(self, senses: AffinityMap, name: str) -> _SenseSet:
        """What an object senses; what it cannot is refused."""
        items: list[_SensedItem] = []
        for number, sensed in enumerate(senses):
            try:
                items.append(self._resolve_item(sensed, name))
                _check_not_owner(items[-1], name)
            except KeyposeError as error:
                error.at = ("actors", self._system_context.names.index(name), "mover", "senses", number, *error.at)
                raise
        sense_set = _SenseSet(
            tuple(items),
            frozenset().union(*(item.owners for item in items)),
            tuple(dict.fromkeys(other for item in items for other in item.outside_names)),
        )
        self._sets_by_key[tuple(map(_sense_key, senses))] = sense_set
        return sense_set

    def _resolve_item(self, sensed: FieldOrTracker | str, name: str) -> _SensedItem:
        sense_key = _sense_key(sensed)
        if sense_key not in self._items_by_key:
            found = _look_up_sense(sensed, name, self._system_context)
            key = found, sensed if isinstance(sensed, str) else None
            if key not in self.items:
                title = repr(sensed) if isinstance(sensed, str) else describe_field(sensed)
                outside_names = self._groups.outside_names(found.names, name, title)
                self.items[key] = _SensedItem(found, title, _owners(found), outside_names, {})
            self._items_by_key[sense_key] = self.items[key]
        return self._items_by_key[sense_key]


def _sense_key(sensed: FieldOrTracker | str) -> int | str:
    """The same for the same thing: quicker than to compare fields by value, a group of thousands among them."""
    return sensed if isinstance(sensed, str) else id(sensed)


def walk_field(field: Field) -> Iterable[Field]:
    """A field and all it is made of."""
    yield field
    for part in field.parts:
        yield from walk_field(part)


class _Groups:
    """Everybody on a stage, who of them are the objects, and who is in which group."""

    def __init__(self, names: Sequence[str], objects: Collection[str]) -> None:
        self._names = dict.fromkeys(names)
        self._objects = objects
        self._members: dict[str, tuple[str, ...]] = {}

    def members(self, group: str) -> tuple[str, ...]:
        """Those whose names begin as "flock/*" does."""
        if group not in self._members:
            prefix = group.removesuffix("*")
            self._members[group] = tuple(name for name in self._names if name.startswith(prefix))
        return self._members[group]

    def outside_names(self, names: tuple[str, ...], owner: str, title: str) -> tuple[str, ...]:
        """Those of whom `expand_names` tells who are no objects."""
        return tuple(name for name in self.expand_names(names, owner, title) if name not in self._objects)

    def expand_names(self, names: Iterable[str], owner: str, title: str) -> tuple[str, ...]:
        """Everybody that these names and groups stand for; whoever is not there is missed."""
        found: list[str] = []
        for name in names:
            if name.endswith(GROUP_SUFFIX):
                members = self.members(name)
                if not members:
                    raise UnknownNameError(
                        f"Actor {owner!r} senses {title}, which speaks of the group {short_repr(name)}, and "
                        "nobody is in it. "
                        f"Its members are called {name.removesuffix('*')}1, {name.removesuffix('*')}2 and so on."
                    )
                found += members
            elif name in self._names:
                found.append(name)
            else:
                raise UnknownNameError(
                    f"Actor {owner!r} senses {title}, which speaks of {short_repr(name)}, who is not on the stage."
                    f"{did_you_mean(name, self._names)}"
                )
        return tuple(dict.fromkeys(found))


def _look_up_sense(sensed: FieldOrTracker | str, owner: str, context: SystemContext) -> FieldOrTracker:
    """What an object senses."""
    if not isinstance(sensed, str):
        if not isinstance(sensed, Field | Tracker | Avoid):
            raise KeyposeError(
                f"Actor {owner!r} senses {short_repr(sensed)}. Give a field, or the name of one on the stage."
            )
        return sensed
    if sensed not in context.fields:
        raise UnknownNameError(
            f"Actor {owner!r} senses the field {short_repr(sensed)}, which is not on the stage."
            f"{did_you_mean(sensed, context.fields)}"
        )
    found = context.fields[sensed]
    assert isinstance(found, Field | Tracker | Avoid)
    return found


def _owners(sensed: FieldOrTracker) -> frozenset[str]:
    """Whose alone it is: nobody is moved by a field that it carries itself, nor tracks itself."""
    if isinstance(sensed, Field):
        carriers = (part.carrier for part in walk_field(sensed) if isinstance(part, CarriedField))
        return frozenset(carrier for carrier in carriers if isinstance(carrier, str))
    return frozenset(sensed.names if len(sensed.names) == 1 else ())


def _check_not_owner(item: _SensedItem, owner: str) -> None:
    if owner not in item.owners:
        return
    if isinstance(item.sensed, Field):
        raise KeyposeError(
            f"Actor {owner!r} senses {item.title}, a field that it carries itself. Link it to somebody else's."
        )
    raise KeyposeError(f"Actor {owner!r} tracks itself. Give the name of another actor.")


def transfer_memories(
    before: Sequence[TrackerLink],
    memories: Sequence[TrackerMemory | None],
    now: Sequence[TrackerLink],
    initial: Sequence[TrackerMemory | None],
) -> tuple[TrackerMemory | None, ...]:
    """What trackers remember as they go on among others: as they `initial` now, but for those who tracked the same."""
    previous = {link.tracker: (link, memory) for link, memory in zip(before, memories, strict=True)}
    found = []
    for link, memory in zip(now, initial, strict=True):
        if memory is not None and link.tracker in previous:
            old_link, old_memory = previous[link.tracker]
            assert old_memory is not None
            memory = _merge_memory(link, memory, old_link, old_memory)
        found.append(memory)
    return tuple(found)


def _merge_memory(
    link: TrackerLink, memory: TrackerMemory, old_link: TrackerLink, old_memory: TrackerMemory
) -> TrackerMemory:
    if np.array_equal(link.names, old_link.names):
        return old_memory
    new_rows, old_rows = _point_rows(link.names), _point_rows(old_link.names)
    shared_rows = [(row, old_rows[point]) for point, row in new_rows.items() if point in old_rows]
    if not shared_rows:
        return memory
    rows, other_rows = np.array(shared_rows).T
    parts = []
    for new_values, old_values in (
        (memory.reference, old_memory.reference),
        (memory.last_error, old_memory.last_error),
        (memory.error_sum, old_memory.error_sum),
    ):
        new_values = new_values.copy()
        new_values[rows] = old_values[other_rows]
        parts.append(new_values)
    return TrackerMemory(*parts)


def _point_rows(names: Objects) -> dict[tuple[str, int], int]:
    """The row of each point, by the name of its object and its number there."""
    count: dict[str, int] = {}
    point_rows = {}
    for row, name in enumerate(names.tolist()):
        point_rows[name, count.setdefault(name, 0)] = row
        count[name] += 1
    return point_rows
