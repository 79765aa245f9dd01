"""How is what is steered by fields steered otherwise? By its links, its words, and where it begins (PF89 §3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.document.fields.dynamic_splines import SENSE, SPLINE
from keypose.document.fields.trackers import SHARE
from keypose.errors import KeyposeError, shown
from keypose.fields.describe.link_text import title_of
from keypose.fields.splines.dynamic_spline import DynamicSpline, Sensed
from keypose.maths.inputs import vector
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import Senser
from keypose.stage.stage import Stage
from keypose.studio.edits.field_frames import frame_at
from keypose.studio.edits.fields import free_name
from keypose.studio.edits.labels import each_optional, listed, read_as
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.protocol import commands as say

Senses = Mapping[Any, float]

USUAL = DynamicSpline((0.0, 0.0, 0.0))
WORDS = each_optional(SPLINE)


def linked(stage: Stage, message: say.LinkActors) -> tuple[Stage, str]:
    """Dynamic splines and bodies that sense a field, more or less of it, or not any more."""
    who = _called(message.actors)
    field: Sensed | str = read_as(SENSE.fields["field"].form, message.field, "field", stage, f"A link of {who}")
    what = f" to {field}" if isinstance(field, str) else f": {title_of(field)}"
    knew = [field in _senser(stage[name]).senses for name in message.actors]
    if message.affinity is None:
        if not any(knew):
            raise KeyposeError(f"There is no link of {who}{what}. Nothing to cut.")
        return _sensing(stage, message.actors, lambda senses: _without(senses, field)), f"cut the link of {who}{what}"
    affinity: float = read_as(SHARE, message.affinity, "affinity", stage, f"A link of {who}")
    made = _sensing(stage, message.actors, lambda senses: {**senses, field: affinity})
    return made, f"affinity of {who}{what}" if all(knew) else f"link {who}{what}"


def named(stage: Stage, message: say.NameSensed) -> tuple[Stage, str]:
    """What somebody senses of its own, as a field of the stage. All who sense the same do so by its name.

    So nobody moves otherwise, not by a bit: what is sensed is added up in the same order as before.
    """
    who = message.actor
    field: Sensed | str = read_as(SENSE.fields["field"].form, message.field, "field", stage, f"A link of {who}")
    if isinstance(field, str) or field not in _senser(stage[who]).senses:
        raise KeyposeError(f"Actor {shown(who)} does not sense this of its own. Choose one of its links.")
    name = free_name(stage, message.name)
    actors = [_sensing_by_name(actor, field, name) for actor in stage.actors]
    return stage.changed(actors=actors, fields={**stage.fields, name: field}), f"name the field {name}"


def said(stage: Stage, message: say.SetSplines) -> tuple[Stage, str]:
    """Dynamic splines of which something is said in the words of the scene file; None unsays it."""
    who = _called(message.actors)
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {who}. Say what shall change, as its friction.")
    given = {word: value for word, value in message.changes.items() if value is not None or word not in WORDS.fields}
    read: dict[str, Any] = read_as(WORDS, given, "", stage, who.capitalize())
    unsaid = {word: getattr(USUAL, word) for word in message.changes if word not in given and word != "position"}

    def changed(name: str, spline: DynamicSpline) -> DynamicSpline:
        place = read.get("position", spline.position)
        if np.ndim(place) != spline.position.ndim:
            own = "one place" if spline.position.ndim == 1 else f"a drawing of {len(spline.position)} points"
            raise KeyposeError(f"Actor {shown(name)} is {own}, and begins as that. Move it, or give as many points.")
        words = {word: getattr(spline, word) for word in WORDS.fields} | unsaid | read | {"position": place}
        return DynamicSpline(**words)

    if "position" in message.changes and "position" not in given:
        raise KeyposeError(f"Where {who} begins was unsaid. Give a place, as (0, 1, 0).")
    return _each(stage, message.actors, changed), f"{listed([*message.changes])} of {who}"


def moved(stage: Stage, message: say.MoveSplines) -> tuple[Stage, str]:
    """Dynamic splines that begin elsewhere; drawings are moved whole."""
    who, frame = _called(message.actors), frame_at(stage, 0.0)
    given = vector(message.by, f"The way of the beginning of {who}")

    def elsewhere(name: str, spline: DynamicSpline) -> DynamicSpline:
        way, parent = np.array(given), stage[name].parent
        if parent is not None:
            way = Orientation.of(frame([parent])[1]).inverse().rotate(way)
        return replace(spline, position=as_dragged(spline.position, way, message.digits))

    return _each(stage, message.actors, elsewhere), f"move the beginning of {who}"


def _each(stage: Stage, names: Sequence[str], change: Callable[[str, DynamicSpline], DynamicSpline]) -> Stage:
    """The stage with some dynamic splines changed, all at once."""
    new = {name: stage[name].changed(motion_or_mover=change(name, _spline(stage, name))) for name in names}
    return stage.changed(actors=[new.get(actor.name, actor) for actor in stage.actors])


def _sensing(stage: Stage, names: Sequence[str], change: Callable[[Senses], Senses]) -> Stage:
    """The stage with what some sense changed, all at once."""
    new = {name: _senser(stage[name]) for name in names}
    return stage.changed(
        actors=[
            actor.changed(motion_or_mover=replace(new[actor.name], senses=change(new[actor.name].senses)))
            if actor.name in new
            else actor
            for actor in stage.actors
        ]
    )


def _senser(actor: Actor) -> Senser:
    if not isinstance(actor.mover, Senser):
        raise KeyposeError(
            f"Actor {shown(actor.name)} is not pushed by fields. Choose a dynamic spline, a follower or a free body."
        )
    return actor.mover


def _spline(stage: Stage, name: str) -> DynamicSpline:
    mover = stage[name].mover
    if not isinstance(mover, DynamicSpline):
        raise KeyposeError(f"Actor {shown(name)} is not steered by fields. Choose a dynamic spline.")
    return mover


def _sensing_by_name(actor: Actor, field: Sensed, name: str) -> Actor:
    mover = actor.mover
    if not isinstance(mover, Senser) or field not in mover.senses:
        return actor
    senses = {(name if one == field else one): affinity for one, affinity in mover.senses.items()}
    return actor.changed(motion_or_mover=replace(mover, senses=senses))


def _without(senses: Senses, field: Sensed | str) -> Senses:
    return {one: affinity for one, affinity in senses.items() if one != field}


def _called(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{len(set(names))} actors"
