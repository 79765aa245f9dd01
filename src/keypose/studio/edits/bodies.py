"""How does what has weight get other numbers, or another form? In the words of the scene file, by its own forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from keypose.curves import Orientation
from keypose.document import BODY, BODY_MOVERS, body_object
from keypose.errors import KeyposeError
from keypose.maths import parse_vector
from keypose.physics import Body, Figure, FigureLink, Follow, Free, SoftSurface, Still
from keypose.stage import Actor, Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.figures import with_body, with_joints
from keypose.studio.edits.labels import change_options, join_words, optional_form, parse_as
from keypose.studio.edits.orientations import EULER_ORDER, euler_degrees
from keypose.studio.protocol import commands

BodyMover = Follow | Free | Still
SEPARATE_OPTIONS = ("path", "body")  # said by keys, and of bodies
MOVER_FORMS = {kind.type: optional_form(kind.record, SEPARATE_OPTIONS) for kind in BODY_MOVERS}


def set_movers(stage: Stage, message: commands.SetMovers) -> tuple[Stage, str]:
    """Followers, free and still bodies of which something is said."""
    owner, options = _actors_label(message.actors), [*message.changes, *message.unset]
    if not options:
        raise KeyposeError(f"Nothing was said of {owner}. Say what shall change, as within.")

    def change_mover(name: str, mover: BodyMover) -> BodyMover:
        return change_options(mover, MOVER_FORMS[type(mover)], message, stage, f"Actor {name!r}")

    return _change_movers(stage, message.actors, change_mover), f"{_options_label(options)} of {owner}"


def set_bodies(stage: Stage, message: commands.SetBodies) -> tuple[Stage, str]:
    """Bodies of which something is said; a motion may get its first."""
    owner, options = _actors_label(message.actors), [*message.changes, *message.unset]
    if not options:
        raise KeyposeError(f"Nothing was said of the body of {owner}. Say what shall change, as its mass.")
    new_bodies = {}
    for name in message.actors:
        actor = stage[name]
        body = body_of(actor)
        before = {} if body is None else body_object(body)
        spec = {option: value for option, value in {**before, **message.changes}.items() if option not in message.unset}
        new_bodies[name] = parse_as(BODY, spec, "body", stage, f"Actor {name!r}")
    is_new = all(body_of(stage[name]) is None for name in message.actors)
    return _with_bodies(
        stage, new_bodies
    ), f"give {owner} a body" if is_new else f"{_options_label(options)} of {owner}"


def remove_body(stage: Stage, message: commands.RemoveBody) -> tuple[Stage, str]:
    """A motion that pushes nobody."""
    actor = stage[message.actor]
    if actor.body is None:
        has = "is its body" if body_of(actor) is not None else "has none"
        raise KeyposeError(f"The body of {actor.name!r} cannot go: it {has}. Take another actor.")
    return stage.with_actor(actor.changed(body=None)), f"take the body of {actor.name} away"


def move_bodies(stage: Stage, message: commands.MoveBodies) -> tuple[Stage, str]:
    """Free and still bodies that begin elsewhere."""
    owner = _actors_label(message.actors)
    offset = np.array(parse_vector(message.by, f"The way of the beginning of {owner}"))

    def move(name: str, mover: BodyMover) -> BodyMover:
        body_mover = _free_or_still(name, mover)
        return replace(
            body_mover, position=tuple(round_drag(np.array(body_mover.position), offset, message.digits).tolist())
        )

    return _change_movers(stage, message.actors, move), f"move the beginning of {owner}"


def face_bodies(stage: Stage, message: commands.FaceBodies) -> tuple[Stage, str]:
    """Free and still bodies that begin turned otherwise; an angle that is not said stays."""
    owner = _actors_label(message.actors)
    if all(angle is None for angle in message.degrees):
        raise KeyposeError(f"Nothing was said of how {owner} is turned. Give its turn, nod or tilt in degrees.")

    def turn(name: str, mover: BodyMover) -> BodyMover:
        body_mover = _free_or_still(name, mover)
        angles = euler_degrees(body_mover.orientation.wxyz[np.newaxis])[0].tolist()
        new_angles = [old if angle is None else angle for old, angle in zip(angles, message.degrees, strict=True)]
        return replace(body_mover, orientation=Orientation.from_euler(new_angles, EULER_ORDER))

    return _change_movers(stage, message.actors, turn), f"facing of {owner}"


def set_gravity(stage: Stage, message: commands.SetGravity) -> tuple[Stage, str]:
    """A stage on which bodies fall otherwise."""
    return stage.changed(gravity=message.to), "gravity"


def body_of(actor: Actor) -> Body | None:
    """What has weight about an actor."""
    return actor.mover.body if isinstance(actor.mover, BodyMover | Figure | FigureLink | SoftSurface) else actor.body


def _with_bodies(stage: Stage, bodies: Mapping[str, Body]) -> Stage:
    """The stage with other bodies, links of figures among them."""
    links = {name: body for name, body in bodies.items() if isinstance(stage[name].mover, FigureLink)}
    new = {name: _with_body(stage[name], body) for name, body in bodies.items() if name not in links}
    changed_stage = _replace_actors(stage, new) if new else stage
    return (
        with_joints(changed_stage, {name: partial(with_body, body=body) for name, body in links.items()})
        if links
        else changed_stage
    )


def _with_body(actor: Actor, body: Body) -> Actor:
    if isinstance(actor.mover, Follow | Free | Still):
        return actor.changed(motion_or_mover=replace(actor.mover, body=body))
    if isinstance(actor.mover, Figure):
        return actor.changed(motion_or_mover=replace(actor.mover, root=body))
    if isinstance(actor.mover, SoftSurface):
        raise KeyposeError(f"{actor.name!r} is the surface of a soft body. Change the body of its actor.")
    return actor.changed(body=body)


def _free_or_still(name: str, mover: BodyMover) -> Free | Still:
    if isinstance(mover, Follow):
        raise KeyposeError(f"Actor {name!r} follows a path, and begins where that does. Move its keys.")
    return mover


def _change_movers(stage: Stage, names: Sequence[str], change: Callable[[str, BodyMover], BodyMover]) -> Stage:
    """The stage with what moves some bodies changed, all at once."""
    new = {}
    for name in names:
        mover = stage[name].mover
        if not isinstance(mover, Follow | Free | Still):
            raise KeyposeError(
                f"Actor {name!r} is moved by no body of its own. Choose a follower, a free or a still one."
            )
        new[name] = stage[name].changed(motion_or_mover=change(name, mover))
    return _replace_actors(stage, new)


def _replace_actors(stage: Stage, new: Mapping[str, Actor]) -> Stage:
    if len(new) == 1:
        return stage.with_actor(next(iter(new.values())))
    return stage.changed(actors=[new.get(actor.name, actor) for actor in stage.actors])


def _actors_label(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{len(set(names))} actors"


def _options_label(options: Sequence[str]) -> str:
    return join_words([option.replace("_", " ") for option in options])
