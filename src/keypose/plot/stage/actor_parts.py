"""Who is drawn with somebody else, and not alone? The links of a figure, and the surface of what is soft.

A link that a reach leads has a way of its own to be seen: it is one of the cast.
"""

from collections.abc import Mapping

from keypose.motion import Pose, pose_to_3d
from keypose.physics import SURFACE_NAME, Reach, Shape
from keypose.plot.marks.bodies import body_shape
from keypose.stage import Actor, Stage, link_actors


def reaches_by_link(stage: Stage) -> dict[str, Reach]:
    """What leads bodies and links, by their names."""
    return {connection.link: connection for connection in stage.connections if isinstance(connection, Reach)}


def standalone_names(poses: Mapping[str, Pose], stage: Stage | None) -> list[str]:
    """Whose poses are those of one of the cast; of links only those that are led, if their stage is known."""
    links = (
        {link for actor in stage.actors for link in link_actors(actor)} - set(reaches_by_link(stage))
        if stage
        else set()
    )
    surfaces = {f"{name}/{SURFACE_NAME}" for name in poses if soft_surface(name, poses) is not None}
    return [name for name in poses if name not in links | surfaces]


def soft_surface(name: str, poses: Mapping[str, Pose]) -> Pose | None:
    """The surface of somebody who is soft: a drawing that is called after what is a place itself."""
    surface = poses.get(f"{name}/{SURFACE_NAME}")
    is_soft = surface is not None and surface.position.ndim == 3 and poses[name].position.ndim == 2
    return pose_to_3d(surface) if surface is not None and is_soft else None


def figure_parts(stage: Stage, actor: Actor, poses: Mapping[str, Pose]) -> tuple[tuple[Shape, Pose], ...]:
    """Of a figure the links that nobody leads: the shape of each, and its poses."""
    links = {
        name: body_shape(link) for name, link in link_actors(actor).items() if name != f"{actor.name}/{SURFACE_NAME}"
    }
    reaches = reaches_by_link(stage) if links else {}
    return tuple(
        (shape, pose_to_3d(poses[name]))
        for name, shape in links.items()
        if shape is not None and name in poses and name not in reaches
    )
