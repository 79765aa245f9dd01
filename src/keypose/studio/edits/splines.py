"""How is what is steered by fields steered otherwise? By its links, its words, and where it begins (PF89 §3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from keypose.curves import Orientation
from keypose.document import FRACTION, SENSE, SPLINE
from keypose.errors import KeyposeError, short_repr
from keypose.fields import DynamicSpline, FieldOrTracker, title_of
from keypose.maths import parse_vector
from keypose.stage import Actor, SensingMover, Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.field_frames import frame_at
from keypose.studio.edits.fields import new_field_name
from keypose.studio.edits.labels import join_words, optional_form, parse_as
from keypose.studio.protocol import commands

Senses = Mapping[Any, float]

DEFAULTS = DynamicSpline((0.0, 0.0, 0.0))
SPLINE_OPTIONS = optional_form(SPLINE)


def link_actors(stage: Stage, message: commands.LinkActors) -> tuple[Stage, str]:
    """Dynamic splines and bodies that sense a field, more or less of it, or not any more."""
    owner = _actors_label(message.actors)
    field: FieldOrTracker | str = parse_as(
        SENSE.fields["field"].value_type, message.field, "field", stage, f"A link of {owner}"
    )
    what = f" to {field}" if isinstance(field, str) else f": {title_of(field)}"
    had_link = [field in _sensing_mover(stage[name]).senses for name in message.actors]
    if message.affinity is None:
        if not any(had_link):
            raise KeyposeError(f"There is no link of {owner}{what}. Nothing to cut.")
        return _change_senses(
            stage, message.actors, lambda senses: _without_field(senses, field)
        ), f"cut the link of {owner}{what}"
    affinity: float = parse_as(FRACTION, message.affinity, "affinity", stage, f"A link of {owner}")
    result = _change_senses(stage, message.actors, lambda senses: {**senses, field: affinity})
    return result, f"affinity of {owner}{what}" if all(had_link) else f"link {owner}{what}"


def name_sensed(stage: Stage, message: commands.NameSensed) -> tuple[Stage, str]:
    """What somebody senses of its own, as a field of the stage. All who sense the same do so by its name.

    So nobody moves otherwise, not by a bit: what is sensed is added up in the same order as before.
    """
    actor_name = message.actor
    field: FieldOrTracker | str = parse_as(
        SENSE.fields["field"].value_type, message.field, "field", stage, f"A link of {actor_name}"
    )
    if isinstance(field, str) or field not in _sensing_mover(stage[actor_name]).senses:
        raise KeyposeError(f"Actor {short_repr(actor_name)} does not sense this of its own. Choose one of its links.")
    name = new_field_name(stage, message.name)
    actors = [_name_in_senses(actor, field, name) for actor in stage.actors]
    return stage.changed(actors=actors, fields={**stage.fields, name: field}), f"name the field {name}"


def set_splines(stage: Stage, message: commands.SetSplines) -> tuple[Stage, str]:
    """Dynamic splines of which something is said in the words of the scene file; None unsays it."""
    owner = _actors_label(message.actors)
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {owner}. Say what shall change, as its friction.")
    given = {
        option: value
        for option, value in message.changes.items()
        if value is not None or option not in SPLINE_OPTIONS.fields
    }
    parsed: dict[str, Any] = parse_as(SPLINE_OPTIONS, given, "", stage, owner.capitalize())
    cleared = {
        option: getattr(DEFAULTS, option) for option in message.changes if option not in given and option != "position"
    }

    def change_spline(name: str, spline: DynamicSpline) -> DynamicSpline:
        position = parsed.get("position", spline.position)
        if np.ndim(position) != spline.position.ndim:
            own = "one place" if spline.position.ndim == 1 else f"a drawing of {len(spline.position)} points"
            raise KeyposeError(
                f"Actor {short_repr(name)} is {own}, and begins as that. Move it, or give as many points."
            )
        options = (
            {option: getattr(spline, option) for option in SPLINE_OPTIONS.fields}
            | cleared
            | parsed
            | {"position": position}
        )
        return DynamicSpline(**options)

    if "position" in message.changes and "position" not in given:
        raise KeyposeError(f"Where {owner} begins was unset. Give a place, as (0, 1, 0).")
    return _change_splines(stage, message.actors, change_spline), f"{join_words([*message.changes])} of {owner}"


def move_splines(stage: Stage, message: commands.MoveSplines) -> tuple[Stage, str]:
    """Dynamic splines that begin elsewhere; drawings are moved whole."""
    owner, frame = _actors_label(message.actors), frame_at(stage, 0.0)
    given = parse_vector(message.by, f"The way of the beginning of {owner}")

    def move(name: str, spline: DynamicSpline) -> DynamicSpline:
        offset, parent = np.array(given), stage[name].parent
        if parent is not None:
            offset = Orientation.of(frame([parent])[1]).inverse().rotate(offset)
        return replace(spline, position=round_drag(spline.position, offset, message.digits))

    return _change_splines(stage, message.actors, move), f"move the beginning of {owner}"


def _change_splines(stage: Stage, names: Sequence[str], change: Callable[[str, DynamicSpline], DynamicSpline]) -> Stage:
    """The stage with some dynamic splines changed, all at once."""
    new = {name: stage[name].changed(motion_or_mover=change(name, _dynamic_spline(stage, name))) for name in names}
    return stage.changed(actors=[new.get(actor.name, actor) for actor in stage.actors])


def _change_senses(stage: Stage, names: Sequence[str], change: Callable[[Senses], Senses]) -> Stage:
    """The stage with what some sense changed, all at once."""
    new = {name: _sensing_mover(stage[name]) for name in names}
    return stage.changed(
        actors=[
            actor.changed(motion_or_mover=replace(new[actor.name], senses=change(new[actor.name].senses)))
            if actor.name in new
            else actor
            for actor in stage.actors
        ]
    )


def _sensing_mover(actor: Actor) -> SensingMover:
    if not isinstance(actor.mover, SensingMover):
        raise KeyposeError(
            f"Actor {short_repr(actor.name)} is not pushed by fields. Choose a dynamic spline, a follower or "
            "a free body."
        )
    return actor.mover


def _dynamic_spline(stage: Stage, name: str) -> DynamicSpline:
    mover = stage[name].mover
    if not isinstance(mover, DynamicSpline):
        raise KeyposeError(f"Actor {short_repr(name)} is not steered by fields. Choose a dynamic spline.")
    return mover


def _name_in_senses(actor: Actor, field: FieldOrTracker, name: str) -> Actor:
    mover = actor.mover
    if not isinstance(mover, SensingMover) or field not in mover.senses:
        return actor
    senses = {(name if one == field else one): affinity for one, affinity in mover.senses.items()}
    return actor.changed(motion_or_mover=replace(mover, senses=senses))


def _without_field(senses: Senses, field: FieldOrTracker | str) -> Senses:
    return {one: affinity for one, affinity in senses.items() if one != field}


def _actors_label(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{len(set(names))} actors"
