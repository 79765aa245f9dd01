"""Who hit whom, as a page is told it?"""

from collections.abc import Iterable

from keypose.motion.take import Event
from keypose.physics.diagnostics.collisions import Hit
from keypose.studio.protocol.updates.bodies import HitView

MOST_HITS = 500


def hit_views(events: Iterable[Event]) -> tuple[HitView, ...]:
    """Who hit whom, in order; of very many the hardest."""
    hits = [event for event in events if isinstance(event, Hit)]
    if len(hits) > MOST_HITS:
        least = sorted(hit.speed for hit in hits)[-MOST_HITS]
        hits = [hit for hit in hits if hit.speed >= least][:MOST_HITS]
    return tuple(
        HitView(time=hit.time, actor=hit.actor, other=hit.other, place=hit.place, speed=hit.speed) for hit in hits
    )
