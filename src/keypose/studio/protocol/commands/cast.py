"""Who is on the stage, and what is said of the whole scene?"""

from typing import Any

from keypose.studio.protocol.commands.command import Edit, Name


class AddActor(Edit, frozen=True, kw_only=True, tag="add_actor"):
    """A new actor, as the scene file writes one."""

    actor: dict[str, Any]


class RemoveActor(Edit, frozen=True, kw_only=True, tag="remove_actor"):
    """Take an actor off the stage; those who need it are named in the refusal."""

    actor: Name


class RenameActor(Edit, frozen=True, kw_only=True, tag="rename_actor"):
    """Call an actor something else; whoever speaks of it follows."""

    actor: Name
    name: Name


class SetActor(Edit, frozen=True, kw_only=True, tag="set_actor"):
    """Say something of an actor: parent, facing, look."""

    actor: Name
    changes: dict[str, Any]


class DefineEffect(Edit, frozen=True, kw_only=True, tag="define_effect"):
    """A named effect of the scene's own; no values take it away."""

    name: Name
    values: dict[str, float]


class SetScene(Edit, frozen=True, kw_only=True, tag="set_scene"):
    """The whole scene, as the scene file writes it."""

    scene: dict[str, Any]
