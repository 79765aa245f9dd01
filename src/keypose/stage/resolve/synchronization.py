"""Who of a cast keeps appointments, and how? Followers and reaches by their targets, motions by clocks of their own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot, radians, sqrt
from typing import Any

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.kernel_switch import settle
from keypose.motion.facing import FaceForward
from keypose.motion.sync_protocol import Played
from keypose.motion.take import Recorded
from keypose.physics.following.controller import Pull
from keypose.physics.values.connections import Connection, Reach
from keypose.physics.values.figure import Figure, Limb
from keypose.physics.values.movers import Follow
from keypose.script.clock_system import TICK, Timed
from keypose.script.feasibility import check
from keypose.script.participant import LEAST, Runner
from keypose.script.plan import FROM_THE_BEGINNING, Begins
from keypose.script.script import Script
from keypose.script.sync.sync_plan import Appointments
from keypose.stage.actor import Actor

SAGS = 2.0  # how many times farther than gravity pulls it down its target must be ahead of who makes up for nothing


def planned(
    given: object,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
    loose: Iterable[str] = (),
    begins: Begins = FROM_THE_BEGINNING,
) -> Appointments | None:
    """The plan of a script with these; None without meetings. What cannot be kept is refused.

    The motions of the `loose` ones go by clocks of their own though nobody meets them any more. Where a script comes
    while it runs, rounds are counted from when that `begins`.
    """
    others = {name: _runner(actors[name], None, 0.0) for name in loose}
    if given is None and not others:
        return None
    if given is not None and not isinstance(given, Script):
        raise KeyposeError(f"A stage was given script={shown(given)}. Give a Script.", at=("script",))
    settle()  # goals are places that are computed: the same ones whenever a stage is built
    with At("script"):
        script = Script().closed() if given is None else given.closed()
        runners: dict[str, Runner] = {}
        for refused in _refused(script, actors, connections, gravity, runners):
            raise refused
        made = Appointments.of(script, {**others, **runners}, begins)
        check(made)
    return made if script.meetings or others else None


def goes_by_a_clock(actor: Actor) -> bool:
    """Whether somebody is a motion that may go by a clock of its own."""
    if actor.motion is None:
        return False
    try:
        _runner(actor, None, 0.0)
    except KeyposeError:
        return False
    return True


def wrong_goals(
    script: Script,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
) -> Iterator[KeyposeError]:
    """Everything that is wrong with the goals of a script, where `planned` tells the first."""
    for refused in _refused(script, actors, connections, gravity, {}):
        refused.at = ("script", *refused.at)
        yield refused


def _refused(
    script: Script,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
    runners: dict[str, Runner],
) -> Iterator[KeyposeError]:
    """Find who acts in a script; what is wrong with its goals comes back, each with its place in it."""
    pull, reaches = hypot(*gravity), {one.link: one for one in connections if isinstance(one, Reach)}
    for index, meeting in enumerate(script):
        for name, goal in meeting.goals.items():
            try:
                with At(index, "goals", name):
                    if name not in actors:
                        raise UnknownNameError(
                            f"Meeting {shown(meeting.name)} has a goal for {shown(name)}, who is not on the stage."
                            f"{did_you_mean(name, actors)}"
                        )
                    runners[name] = runners.get(name) or _runner(actors[name], reaches.get(name), pull)
                    runners[name].where(goal, meeting.name)
            except KeyposeError as error:
                yield error


def with_clocks(actors: Mapping[str, Actor], plan: Appointments | None) -> dict[str, Actor]:
    """A cast as it is played: motions that meet somebody take ticks, with the bodies if some of those do too."""
    if plan is None:
        return dict(actors)
    kind = "bodies" if plan.races else "clocks"
    return {**actors, **{name: _by_clock(actors[name], played, kind) for name, played in plan.timed.items()}}


def _by_clock(actor: Actor, played: Played, kind: str) -> Actor:
    """Somebody whose motion goes by a clock of its own; which way that leads is then a matter of the clock, too."""
    facing = actor.facing if played.facing is None else None
    return actor.changed(motion_or_mover=Timed(played, kind), facing=facing)


def _runner(actor: Actor, reach: Reach | None, gravity: float) -> Runner:
    """How somebody can be slowed down; a sentence says why, if it cannot."""
    racing = actor.mover if isinstance(actor.mover, Follow) else reach
    if racing is not None:
        eagerness, damping = racing.pull
        k, _ = Pull.of(eagerness, damping, racing.reaction)
        sinks = 0.0 if racing.correction is not None else sqrt(SAGS * gravity / (k * racing.within))
        turning = racing.pace / racing.within * radians(racing.turn_within)
        least = min(1.0, max(LEAST, sinks))
        return Runner(actor.name, racing.path, racing.pace, turning, racing.reaction, least)
    who, remedy = f"Actor {actor.name!r} is to meet somebody", "Let it Follow a path, or give it a Motion."
    if isinstance(actor.mover, Limb):
        raise KeyposeError(
            f"{who}, but is a link that nothing leads along a path. "
            f"Lead it by a Reach: connections=[Reach({actor.name!r}, path)]."
        )
    if isinstance(actor.mover, Figure):
        links = [f"{actor.name}/{link}" for link in actor.mover.links]
        named = f"Name one of its links that a Reach leads, as {shown(links[-1])}." if links else remedy
        raise KeyposeError(f"{who}, but is a figure, which goes wherever its links take it. {named}")
    if actor.motion is None:
        raise KeyposeError(f"{who}, but has no path to be slowed down on: {_why(actor.mover)}. {remedy}")
    if isinstance(actor.motion, Recorded):
        raise KeyposeError(f"{who}, but is a recording, which has no keys. {remedy}")
    if actor.carriers:
        raise KeyposeError(
            f"{who}, and its motion has keys that {shown(actor.carriers[0])} carries: when it passes them is solved "
            "before anything is played. Let it Follow that path."
        )
    if actor.body is not None:
        raise KeyposeError(f"{who}, and its motion has a body. Let it Follow that path, or leave the body out.")
    facing = actor.facing if isinstance(actor.facing, FaceForward) else None
    return Runner(actor.name, actor.motion.path, 1.0, 1.0, 10 * TICK, motion=actor.motion, facing=facing)


def _why(mover: Any) -> str:
    known = {"DynamicSpline": "fields steer it", "Free": "it goes wherever it is pushed", "Still": "it stands still"}
    return known.get(type(mover).__name__, f"what moves it is {shown(mover)}")
