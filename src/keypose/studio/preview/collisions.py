"""Who hit whom, as a page is told it?"""

from collections.abc import Iterable

from keypose.motion import CollisionEvent, Event
from keypose.studio.protocol.updates.bodies import CollisionView

MAX_COLLISIONS = 500


def collision_views(events: Iterable[Event]) -> tuple[CollisionView, ...]:
    """Who hit whom, in order; of very many the hardest."""
    collisions = [event for event in events if isinstance(event, CollisionEvent)]
    if len(collisions) > MAX_COLLISIONS:
        min_speed = sorted(collision.speed for collision in collisions)[-MAX_COLLISIONS]
        collisions = [collision for collision in collisions if collision.speed >= min_speed][:MAX_COLLISIONS]
    return tuple(
        CollisionView(
            time=collision.time,
            actor=collision.actor,
            other=collision.other,
            position=collision.place,
            speed=collision.speed,
        )
        for collision in collisions
    )
