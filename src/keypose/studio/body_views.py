"""What is told of what has weight? The form of its body, how it follows, and where it begins."""

from dataclasses import fields

import numpy as np

from keypose.document.bodies import SHAPES
from keypose.maths.arrays import Vec3
from keypose.physics.body import Body
from keypose.physics.connections import Reach
from keypose.physics.movers import Follow, Free, Still
from keypose.physics.shapes import Mesh, Shape
from keypose.physics.softness import lattice_of
from keypose.studio.edits.facings import degrees_of
from keypose.studio.mesh_faces import faces_of
from keypose.studio.views_of_bodies import BeginningView, BodyView, FollowView

KINDS = {kind.type: kind.word for kind in SHAPES}


def body_view(body: Body | None) -> BodyView | None:
    """A body in words."""
    if body is None:
        return None
    return BodyView(
        shape=_shape(body.shape),
        mass=body.mass,
        bounce=body.bounce,
        friction=body.friction,
        faces=faces_of(body.shape.file, body.shape.scale) if isinstance(body.shape, Mesh) else None,
        stiffness=body.stiffness,
        surface=None if body.stiffness is None else tuple(lattice_of(body.shape).triangles.ravel().tolist()),
    )


def follow_view(mover: object) -> FollowView | None:
    """How a follower, or whom a reach leads, races its target."""
    if not isinstance(mover, Follow | Reach):
        return None
    eagerness, damping = mover.pull
    return FollowView(
        within=mover.within,
        eagerness=eagerness,
        damping=damping,
        is_critical=mover.damping is None,
        reaction=mover.reaction,
        correction=mover.correction,
        speed=mover.speed,
        turn_within=mover.turn_within,
        turns=mover.path.turns is not None,
        pace=mover.pace,
    )


def beginning_view(mover: object) -> BeginningView | None:
    """Where a free or a still body begins."""
    if not isinstance(mover, Free | Still):
        return None
    turn, nod, tilt = degrees_of(mover.orientation.wxyz[np.newaxis])[0].tolist()
    return BeginningView(
        position=mover.position,
        degrees=(turn, nod, tilt),
        velocity=mover.velocity if isinstance(mover, Free) else None,
        spin=mover.spin if isinstance(mover, Free) else None,
    )


def _shape(shape: Shape) -> dict[str, str | float | Vec3]:
    words = {one.name: getattr(shape, one.name) for one in fields(shape)}
    return {"kind": KINDS[type(shape)], **words}
