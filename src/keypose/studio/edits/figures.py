"""How does a figure get other joints and links, and a connection other numbers? The figure is built anew around them.

They are said in the words of the scene file, as everything is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from keypose.document import CONNECTIONS, JOINTS
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.physics import Body, Connection, Figure, Joint, Link
from keypose.stage import Actor, Stage
from keypose.studio.edits.labels import change_options, join_words, optional_form
from keypose.studio.protocol import commands

END_OPTIONS = ("link", "to", "goal")  # whom it holds
JOINT_FORMS, CONNECTION_FORMS = (
    {kind.type: optional_form(kind.record, END_OPTIONS) for kind in kinds} for kinds in (JOINTS, CONNECTIONS)
)


def set_joints(stage: Stage, message: commands.SetJoints) -> tuple[Stage, str]:
    """Joints of links of which something is said."""
    owner = message.links[0] if len(set(message.links)) == 1 else f"{len(set(message.links))} links"
    label = _step_label(message, f"the joint of {owner}")

    def change_joint(joint: Joint) -> Joint:
        assert isinstance(joint.link, Link)
        return change_options(joint, JOINT_FORMS[type(joint)], message, stage, f"The joint of {joint.link.name!r}")

    return with_joints(stage, dict.fromkeys(message.links, change_joint)), label


def set_connections(stage: Stage, message: commands.SetConnections) -> tuple[Stage, str]:
    """Connections of a stage of which something is said."""
    connections = list(stage.connections)
    for index in message.connections:
        if index >= len(connections):
            raise KeyposeError(f"There is no connection {index}: the stage has {len(connections)}. Choose one of them.")
    indices = sorted(set(message.connections))
    label = _step_label(
        message, _connection_label(connections[indices[0]]) if len(indices) == 1 else f"{len(indices)} connections"
    )
    for index in indices:
        one = connections[index]
        connections[index] = change_options(
            one, CONNECTION_FORMS[type(one)], message, stage, _connection_label(one).capitalize()
        )
    return stage.changed(connections=connections), label


def with_joints(stage: Stage, changes: Mapping[str, Callable[[Joint], Joint]]) -> Stage:
    """The stage with the joints that bring some links, by their names as arm/hand, changed; each figure once."""
    figures: dict[str, Figure] = {}
    for name, change in changes.items():
        actor, link = _figure_of(stage, name)
        figure = figures.get(actor.name, actor.mover)
        assert isinstance(figure, Figure)
        joints = [
            change(joint) if isinstance(joint.link, Link) and joint.link.name == link else joint
            for joint in figure.joints
        ]
        figures[actor.name] = replace(figure, joints=tuple(joints))
    actors = [
        actor.changed(motion_or_mover=figures[actor.name]) if actor.name in figures else actor for actor in stage.actors
    ]
    return stage.changed(actors=actors)


def with_body(joint: Joint, body: Body) -> Joint:
    """A joint whose link has another body."""
    assert isinstance(joint.link, Link)
    return replace(joint, link=replace(joint.link, body=body))


def _figure_of(stage: Stage, name: str) -> tuple[Actor, str]:
    """Whose link this is, and what it is called there."""
    for actor in stage.actors:
        link = name.removeprefix(f"{actor.name}/")
        if isinstance(actor.mover, Figure) and link != name and link in actor.mover.links:
            return actor, link
    links = [
        f"{actor.name}/{link}"
        for actor in stage.actors
        if isinstance(actor.mover, Figure)
        for link in actor.mover.links
    ]
    raise UnknownNameError(f"No figure has the link {short_repr(name)}.{did_you_mean(name, links)}")


def _step_label(message: commands.SetJoints | commands.SetConnections, owner: str) -> str:
    options: Sequence[str] = [*message.changes, *message.unset]
    if not options:
        raise KeyposeError(f"Nothing was said of {owner}. Say what shall change, as its damping.")
    return f"{join_words([option.replace('_', ' ') for option in options])} of {owner}"


def _connection_label(one: Connection) -> str:
    return f"the {type(one).__name__.lower()} of {one.link}"
