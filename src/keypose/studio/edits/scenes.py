"""What holds for the whole scene? Effects of its own, and all of it at once when Python says so."""

import json
from dataclasses import replace

from keypose.document import EFFECT, MapOf, read
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.stage import SceneStyle, Stage
from keypose.studio.edits.labels import parse_as
from keypose.studio.preview.dependents import source_actors
from keypose.studio.protocol import commands


def define_effect(stage: Stage, message: commands.DefineEffect) -> tuple[Stage, str]:
    """An effect of the scene's own, new or changed; without values it goes. Keys keep the values they have."""
    effects = dict(stage.style.effects)
    if message.values:
        effects |= parse_as(
            MapOf(EFFECT, "effects by name"), {message.name: message.values}, "effects", stage, "The scene"
        )
    elif message.name not in effects:
        raise UnknownNameError(
            f"The scene has no effect {short_repr(message.name)} of its own.{did_you_mean(message.name, effects)}"
        )
    else:
        del effects[message.name]
    style = replace(stage.style, effects=effects)
    label = f"effect {message.name}" if message.values else f"delete the effect {message.name}"
    return with_style(stage, style), label


def set_scene(stage: Stage, message: commands.SetScene) -> tuple[Stage, str]:
    """Another scene in place of this one; actors that are the same in both keep what was worked out for them."""
    try:
        content = json.dumps(message.scene, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise KeyposeError(f"The scene is not as a scene file has it: {error}. Give plain, finite values.") from None
    new = read(content)
    given_actors = source_actors(stage)
    actors = [old if (old := given_actors.get(actor.name)) == actor and old else actor for actor in new.actors]
    return new.changed(actors=actors), "set the scene"


def with_style(stage: Stage, style: SceneStyle) -> Stage:
    """The same cast in another style."""
    return stage.changed(style=style)
