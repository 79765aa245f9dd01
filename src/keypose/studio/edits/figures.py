"""How does a figure get other joints and links, and a connection other numbers? The figure is built anew around them.

They are said in the words of the scene file, as everything is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from keypose.document.figures import CONNECTIONS, JOINTS
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.physics.values.body import Body
from keypose.physics.values.connections import Connection, Joint, Link
from keypose.physics.values.figure import Figure
from keypose.stage.actor import Actor
from keypose.stage.stage import Stage
from keypose.studio.edits.labels import each_optional, listed, said_of
from keypose.studio.protocol import commands as say

ENDS = ("link", "to", "goal")  # whom it holds
OF_JOINTS, OF_CONNECTIONS = (
    {kind.type: each_optional(kind.record, ENDS) for kind in kinds} for kinds in (JOINTS, CONNECTIONS)
)


def joint_said(stage: Stage, message: say.SetJoints) -> tuple[Stage, str]:
    """Joints of links of which something is said."""
    who = message.links[0] if len(set(message.links)) == 1 else f"{len(set(message.links))} links"
    told = _told(message, f"the joint of {who}")

    def said(joint: Joint) -> Joint:
        assert isinstance(joint.link, Link)
        return said_of(joint, OF_JOINTS[type(joint)], message, stage, f"The joint of {joint.link.name!r}")

    return with_joints(stage, dict.fromkeys(message.links, said)), told


def connection_said(stage: Stage, message: say.SetConnections) -> tuple[Stage, str]:
    """Connections of a stage of which something is said."""
    every = list(stage.connections)
    for index in message.connections:
        if index >= len(every):
            raise KeyposeError(f"There is no connection {index}: the stage has {len(every)}. Choose one of them.")
    chosen = sorted(set(message.connections))
    told = _told(message, _called(every[chosen[0]]) if len(chosen) == 1 else f"{len(chosen)} connections")
    for index in chosen:
        one = every[index]
        every[index] = said_of(one, OF_CONNECTIONS[type(one)], message, stage, _called(one).capitalize())
    return stage.changed(connections=every), told


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
    raise UnknownNameError(f"No figure has the link {shown(name)}.{did_you_mean(name, links)}")


def _told(message: say.SetJoints | say.SetConnections, whose: str) -> str:
    words: Sequence[str] = [*message.changes, *message.unsaid]
    if not words:
        raise KeyposeError(f"Nothing was said of {whose}. Say what shall change, as its damping.")
    return f"{listed([word.replace('_', ' ') for word in words])} of {whose}"


def _called(one: Connection) -> str:
    return f"the {type(one).__name__.lower()} of {one.link}"
