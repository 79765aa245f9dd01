"""Who races along a rough path? A follower along its own, and who is led along that of a reach."""

from collections.abc import Iterator

from keypose.curves import MotionPath
from keypose.physics import Follow, Reach
from keypose.stage.stage import Stage


def find_followers(stage: Stage) -> Iterator[tuple[str, Follow | Reach]]:
    """By their names, what says how each of them races."""
    yield from ((actor.name, actor.mover) for actor in stage.actors if isinstance(actor.mover, Follow))
    yield from _driven_links(stage)


def find_follower(stage: Stage, name: str) -> Follow | Reach | None:
    """What says how somebody races along a path; what leads to another actor has none."""
    mover = stage[name].mover
    return (
        mover
        if isinstance(mover, Follow)
        else next((reach for link, reach in _driven_links(stage) if link == name), None)
    )


def _driven_links(stage: Stage) -> Iterator[tuple[str, Reach]]:
    for one in stage.connections:
        if isinstance(one, Reach) and isinstance(one.goal, MotionPath):
            assert isinstance(one.link, str)  # a stage knows all by their names
            yield one.link, one
