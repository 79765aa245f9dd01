"""Who is drawn with somebody else, and not alone? The links of a figure, and the surface of what is soft.

A link that a reach leads has a way of its own to be seen: it is one of the cast.
"""

from collections.abc import Mapping

from keypose.motion.hierarchy import in_space
from keypose.motion.pose import Pose
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import SKIN
from keypose.physics.values.shapes import Shape
from keypose.plot.marks.bodies import shape_of
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import links_of
from keypose.stage.stage import Stage


def reaches(stage: Stage) -> dict[str, Reach]:
    """What leads bodies and links, by their names."""
    return {one.link: one for one in stage.connections if isinstance(one, Reach)}


def alone(poses: Mapping[str, Pose], stage: Stage | None) -> list[str]:
    """Whose poses are those of one of the cast; of links only those that are led, if their stage is known."""
    links = {link for actor in stage.actors for link in links_of(actor)} - set(reaches(stage)) if stage else set()
    skins = {f"{name}/{SKIN}" for name in poses if skin_of(name, poses) is not None}
    return [name for name in poses if name not in links | skins]


def skin_of(name: str, poses: Mapping[str, Pose]) -> Pose | None:
    """The surface of somebody who is soft: a drawing that is called after what is a place itself."""
    skin = poses.get(f"{name}/{SKIN}")
    soft = skin is not None and skin.position.ndim == 3 and poses[name].position.ndim == 2
    return in_space(skin) if skin is not None and soft else None


def parts(stage: Stage, actor: Actor, poses: Mapping[str, Pose]) -> tuple[tuple[Shape, Pose], ...]:
    """Of a figure the links that nobody leads: the shape of each, and its poses."""
    links = {name: shape_of(link) for name, link in links_of(actor).items() if name != f"{actor.name}/{SKIN}"}
    led = reaches(stage) if links else {}
    return tuple(
        (shape, in_space(poses[name]))
        for name, shape in links.items()
        if shape is not None and name in poses and name not in led
    )
