"""How does an archive keep who bumped into whom? Which events tell of that, with whom, where and how fast.

An archive without hits has none of these arrays.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.export.npz_members import FLOATS, INTEGERS, TEXT, ArrayMember
from keypose.export.tracks import check_text
from keypose.motion import CollisionEvent, Event, Take

COLLISION_ARRAYS = ("hit_events", "hit_others", "hit_places", "hit_speeds")


def text_arrays(take: Take) -> dict[str, list[str]]:
    """Whom others bumped into, by the names of arrays; nothing where nobody did."""
    collisions = [event for event in take.events if isinstance(event, CollisionEvent)]
    for collision in collisions:
        check_text(collision.other, "A hit of this take is with")
    return {"hit_others": [collision.other for collision in collisions]} if collisions else {}


def number_arrays(take: Take) -> dict[str, NDArray[Any]]:
    """Which events are hits, where and how fast, by the names of arrays; nothing where there are none."""
    collisions = {index: event for index, event in enumerate(take.events) if isinstance(event, CollisionEvent)}
    if not collisions:
        return {}
    return {
        "hit_events": np.array(list(collisions), dtype=INTEGERS),
        "hit_places": np.array([collision.place for collision in collisions.values()], dtype=FLOATS),
        "hit_speeds": np.array([collision.speed for collision in collisions.values()], dtype=FLOATS),
    }


def required_arrays(members: Mapping[str, ArrayMember]) -> Sequence[str]:
    """Which arrays of hits an archive must hold, by those it does."""
    return () if members.keys().isdisjoint(COLLISION_ARRAYS) else COLLISION_ARRAYS


def check_arrays(members: Mapping[str, ArrayMember]) -> None:
    """Refuse another kind or shape of what is there of hits."""
    if COLLISION_ARRAYS[0] in members:
        members["hit_events"].check(INTEGERS, (-1,))
        count = members["hit_events"].shape[0]
        for name, kind, shape in (("others", TEXT, ()), ("places", FLOATS, (3,)), ("speeds", FLOATS, ())):
            members[f"hit_{name}"].check(kind, (count, *shape))


def restore_collisions(events: list[Event], members: Mapping[str, ArrayMember]) -> list[Event]:
    """Events, those of hits with whom, where and how fast that was."""
    if COLLISION_ARRAYS[0] not in members:
        return events
    indices, positions, speeds = (
        members["hit_events"].integers(),
        *(members[name].floats() for name in COLLISION_ARRAYS[2:]),
    )
    _check_event_indices(indices.tolist(), events)
    for name, values in (("places", positions), ("speeds", speeds)):
        if not np.isfinite(values).all():
            raise KeyposeError(f"The {name} of hits in the archive are not all finite. Save the take anew.")
    restored = list(events)
    collisions = zip(indices.tolist(), members["hit_others"].texts(), positions.tolist(), speeds.tolist(), strict=True)
    for index, other, (x, y, z), speed in collisions:
        event = events[index]
        restored[index] = CollisionEvent(
            event.time, event.actor, event.text, event.kind, other=other, place=(x, y, z), speed=speed
        )
    return restored


def _check_event_indices(indices: Sequence[int], events: Sequence[Event]) -> None:
    """Each is an event of its own, in their order, and none of them tells of a meeting."""
    previous = -1
    for index in indices:
        problem = None
        if not 0 <= index < len(events):
            problem = f"A hit of the archive is told by event {index}, and there are {len(events)}."
        elif index <= previous:
            problem = f"Event {index} of the archive stands behind event {previous} among its hits."
        elif type(events[index]) is not Event:
            problem = f"Event {index} of the archive tells of a meeting and of a hit."
        if problem is not None:
            raise KeyposeError(f"{problem} Save the take anew.")
        previous = index
