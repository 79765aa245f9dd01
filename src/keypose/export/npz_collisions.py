"""How does an archive keep who bumped into whom? Which events tell of that, with whom, where and how fast.

An archive without hits has none of these arrays.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, shown
from keypose.export.npz_members import FLOATS, TEXT, WHOLE, Member
from keypose.export.tracks import check_text
from keypose.maths.inputs import as_numbers, number
from keypose.motion.take import Event, Take
from keypose.physics.diagnostics.collisions import Hit

OF_HITS = ("hit_events", "hit_others", "hit_places", "hit_speeds")


def texts_of(take: Take) -> dict[str, list[str]]:
    """Whom others bumped into, by the names of arrays; nothing where nobody did."""
    hits = [event for event in take.events if isinstance(event, Hit)]
    for one in hits:
        check_text(one.other, "A hit of this take is with")
    return {"hit_others": [one.other for one in hits]} if hits else {}


def numbers_of(take: Take) -> dict[str, NDArray[Any]]:
    """Which events are hits, where and how fast, by the names of arrays; nothing where there are none."""
    hits = {index: event for index, event in enumerate(take.events) if isinstance(event, Hit)}
    if not hits:
        return {}
    for one in hits.values():
        place = as_numbers(one.place, copy=False)
        if place is None or place.shape != (3,) or not np.isfinite(place).all():
            raise KeyposeError(f"A hit of this take is at {shown(one.place)}. Give x, y, z.")
        number(one.speed, "The speed of a hit")
    return {
        "hit_events": np.array(list(hits), dtype=WHOLE),
        "hit_places": np.array([one.place for one in hits.values()], dtype=FLOATS),
        "hit_speeds": np.array([one.speed for one in hits.values()], dtype=FLOATS),
    }


def wanted_of(members: Mapping[str, Member]) -> Sequence[str]:
    """Which arrays of hits an archive must hold, by those it does."""
    return () if members.keys().isdisjoint(OF_HITS) else OF_HITS


def check_kinds(members: Mapping[str, Member]) -> None:
    """Refuse another kind or shape of what is there of hits."""
    if OF_HITS[0] in members:
        members["hit_events"].check(WHOLE, (-1,))
        count = members["hit_events"].shape[0]
        for name, kind, shape in (("others", TEXT, ()), ("places", FLOATS, (3,)), ("speeds", FLOATS, ())):
            members[f"hit_{name}"].check(kind, (count, *shape))


def as_told(events: list[Event], members: Mapping[str, Member]) -> list[Event]:
    """Events, those of hits with whom, where and how fast that was."""
    if OF_HITS[0] not in members:
        return events
    which, places, speeds = members["hit_events"].wholes(), *(members[name].floats() for name in OF_HITS[2:])
    _check_which(which.tolist(), events)
    for name, values in (("places", places), ("speeds", speeds)):
        if not np.isfinite(values).all():
            raise KeyposeError(f"The {name} of hits in the archive are not all finite. Save the take anew.")
    found = list(events)
    hits = zip(which.tolist(), members["hit_others"].texts(), places.tolist(), speeds.tolist(), strict=True)
    for index, other, (x, y, z), speed in hits:
        told = events[index]
        found[index] = Hit(told.time, told.actor, told.text, told.kind, other=other, place=(x, y, z), speed=speed)
    return found


def _check_which(which: Sequence[int], events: Sequence[Event]) -> None:
    """Each is an event of its own, in their order, and none of them tells of a meeting."""
    before = -1
    for index in which:
        wrong = None
        if not 0 <= index < len(events):
            wrong = f"A hit of the archive is told by event {index}, and there are {len(events)}."
        elif index <= before:
            wrong = f"Event {index} of the archive stands behind event {before} among its hits."
        elif type(events[index]) is not Event:
            wrong = f"Event {index} of the archive tells of a meeting and of a hit."
        if wrong is not None:
            raise KeyposeError(f"{wrong} Save the take anew.")
        before = index
