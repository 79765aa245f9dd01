"""How does what has weight get other numbers, or another form? In the words of the scene file, by its own forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.document.bodies import BODY, WEIGHTY, body_object
from keypose.errors import KeyposeError
from keypose.maths.inputs import vector
from keypose.physics.values.body import Body
from keypose.physics.values.figure import Figure, Limb
from keypose.physics.values.movers import Follow, Free, Skin, Still
from keypose.stage.actor import Actor
from keypose.stage.stage import Stage
from keypose.studio.edits.figures import with_body, with_joints
from keypose.studio.edits.labels import each_optional, listed, read_as, said_of
from keypose.studio.edits.orientations import ORDER, degrees_of
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.protocol import commands as say

Moved = Follow | Free | Still
ELSEWHERE = ("path", "body")  # said by keys, and of bodies
WORDS = {kind.type: each_optional(kind.record, ELSEWHERE) for kind in WEIGHTY}


def mover_said(stage: Stage, message: say.SetMovers) -> tuple[Stage, str]:
    """Followers, free and still bodies of which something is said."""
    who, words = _called(message.actors), [*message.changes, *message.unsaid]
    if not words:
        raise KeyposeError(f"Nothing was said of {who}. Say what shall change, as within.")

    def changed(name: str, mover: Moved) -> Moved:
        return said_of(mover, WORDS[type(mover)], message, stage, f"Actor {name!r}")

    return _each(stage, message.actors, changed), f"{_told(words)} of {who}"


def body_said(stage: Stage, message: say.SetBodies) -> tuple[Stage, str]:
    """Bodies of which something is said; a motion may get its first."""
    who, words = _called(message.actors), [*message.changes, *message.unsaid]
    if not words:
        raise KeyposeError(f"Nothing was said of the body of {who}. Say what shall change, as its mass.")
    new = {}
    for name in message.actors:
        actor = stage[name]
        body = body_of(actor)
        before = {} if body is None else body_object(body)
        said = {word: value for word, value in {**before, **message.changes}.items() if word not in message.unsaid}
        new[name] = read_as(BODY, said, "body", stage, f"Actor {name!r}")
    is_new = all(body_of(stage[name]) is None for name in message.actors)
    return _with_bodies(stage, new), f"give {who} a body" if is_new else f"{_told(words)} of {who}"


def body_removed(stage: Stage, message: say.RemoveBody) -> tuple[Stage, str]:
    """A motion that pushes nobody."""
    actor = stage[message.actor]
    if actor.body is None:
        has = "is its body" if body_of(actor) is not None else "has none"
        raise KeyposeError(f"The body of {actor.name!r} cannot go: it {has}. Take another actor.")
    return stage.with_actor(actor.changed(body=None)), f"take the body of {actor.name} away"


def moved(stage: Stage, message: say.MoveBodies) -> tuple[Stage, str]:
    """Free and still bodies that begin elsewhere."""
    who = _called(message.actors)
    way = np.array(vector(message.by, f"The way of the beginning of {who}"))

    def elsewhere(name: str, mover: Moved) -> Moved:
        placed = _placed(name, mover)
        return replace(placed, position=tuple(as_dragged(np.array(placed.position), way, message.digits).tolist()))

    return _each(stage, message.actors, elsewhere), f"move the beginning of {who}"


def faced(stage: Stage, message: say.FaceBodies) -> tuple[Stage, str]:
    """Free and still bodies that begin turned otherwise; an angle that is not said stays."""
    who = _called(message.actors)
    if all(angle is None for angle in message.degrees):
        raise KeyposeError(f"Nothing was said of how {who} is turned. Give its turn, nod or tilt in degrees.")

    def turned(name: str, mover: Moved) -> Moved:
        placed = _placed(name, mover)
        angles = degrees_of(placed.orientation.wxyz[np.newaxis])[0].tolist()
        said = [old if angle is None else angle for old, angle in zip(angles, message.degrees, strict=True)]
        return replace(placed, orientation=Orientation.from_euler(said, ORDER))

    return _each(stage, message.actors, turned), f"facing of {who}"


def falling(stage: Stage, message: say.SetGravity) -> tuple[Stage, str]:
    """A stage on which bodies fall otherwise."""
    return stage.changed(gravity=message.to), "gravity"


def body_of(actor: Actor) -> Body | None:
    """What has weight about an actor."""
    return actor.mover.body if isinstance(actor.mover, Moved | Figure | Limb | Skin) else actor.body


def _with_bodies(stage: Stage, bodies: Mapping[str, Body]) -> Stage:
    """The stage with other bodies, links of figures among them."""
    links = {name: body for name, body in bodies.items() if isinstance(stage[name].mover, Limb)}
    new = {name: _with_body(stage[name], body) for name, body in bodies.items() if name not in links}
    made = _with(stage, new) if new else stage
    return with_joints(made, {name: partial(with_body, body=body) for name, body in links.items()}) if links else made


def _with_body(actor: Actor, body: Body) -> Actor:
    if isinstance(actor.mover, Follow | Free | Still):
        return actor.changed(motion_or_mover=replace(actor.mover, body=body))
    if isinstance(actor.mover, Figure):
        return actor.changed(motion_or_mover=replace(actor.mover, root=body))
    if isinstance(actor.mover, Skin):
        raise KeyposeError(f"{actor.name!r} is the surface of a soft body. Change the body of its actor.")
    return actor.changed(body=body)


def _placed(name: str, mover: Moved) -> Free | Still:
    if isinstance(mover, Follow):
        raise KeyposeError(f"Actor {name!r} follows a path, and begins where that does. Move its keys.")
    return mover


def _each(stage: Stage, names: Sequence[str], change: Callable[[str, Moved], Moved]) -> Stage:
    """The stage with what moves some bodies changed, all at once."""
    new = {}
    for name in names:
        mover = stage[name].mover
        if not isinstance(mover, Follow | Free | Still):
            raise KeyposeError(
                f"Actor {name!r} is moved by no body of its own. Choose a follower, a free or a still one."
            )
        new[name] = stage[name].changed(motion_or_mover=change(name, mover))
    return _with(stage, new)


def _with(stage: Stage, new: Mapping[str, Actor]) -> Stage:
    if len(new) == 1:
        return stage.with_actor(next(iter(new.values())))
    return stage.changed(actors=[new.get(actor.name, actor) for actor in stage.actors])


def _called(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{len(set(names))} actors"


def _told(words: Sequence[str]) -> str:
    return listed([word.replace("_", " ") for word in words])
