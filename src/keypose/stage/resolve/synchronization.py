"""Who of a cast keeps appointments, and how? Followers and reaches by their targets, motions by clocks of their own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot, radians, sqrt
from typing import Any

from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import load_kernels
from keypose.motion import FaceForward, RecordedMotion, TimedMotion
from keypose.physics import Connection, Figure, FigureLink, Follow, Gains, Reach
from keypose.script import (
    FROM_START,
    MIN_SPEED_FACTOR,
    TICK,
    ClockedMotion,
    Participant,
    Script,
    StartProgress,
    SyncPlan,
    check_feasibility,
)
from keypose.stage.actor import Actor

SAG_MARGIN = (
    2.0  # how many times farther than gravity pulls it down its target must be ahead of who makes up for nothing
)


def build_sync_plan(
    given: object,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
    clock_names: Iterable[str] = (),
    start_progress: StartProgress = FROM_START,
) -> SyncPlan | None:
    """The plan of a script with these; None without meetings. What cannot be kept is refused.

    The motions of the `clock_names` ones go by clocks of their own though nobody meets them any more. Where a script
    comes while it runs, rounds are counted from when that `start_progress`.
    """
    others = {name: _participant(actors[name], None, 0.0) for name in clock_names}
    if given is None and not others:
        return None
    if given is not None and not isinstance(given, Script):
        raise KeyposeError(f"A stage was given script={short_repr(given)}. Give a Script.", at=("script",))
    load_kernels()  # goals are places that are computed: the same ones whenever a stage is built
    with ErrorPath("script"):
        script = Script().frozen() if given is None else given.frozen()
        participants: dict[str, Participant] = {}
        for error in _resolve_goals(script, actors, connections, gravity, participants):
            raise error
        plan = SyncPlan.of(script, {**others, **participants}, start_progress)
        check_feasibility(plan)
    return plan if script.meetings or others else None


def can_have_clock(actor: Actor) -> bool:
    """Whether somebody is a motion that may go by a clock of its own."""
    if actor.motion is None:
        return False
    try:
        _participant(actor, None, 0.0)
    except KeyposeError:
        return False
    return True


def find_goal_errors(
    script: Script,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
) -> Iterator[KeyposeError]:
    """Everything that is wrong with the goals of a script, where `build_sync_plan` tells the first."""
    for error in _resolve_goals(script, actors, connections, gravity, {}):
        error.at = ("script", *error.at)
        yield error


def _resolve_goals(
    script: Script,
    actors: Mapping[str, Actor],
    connections: Sequence[Connection],
    gravity: tuple[float, float, float],
    participants: dict[str, Participant],
) -> Iterator[KeyposeError]:
    """Find who acts in a script; what is wrong with its goals comes back, each with its place in it."""
    strength, reaches = hypot(*gravity), {one.link: one for one in connections if isinstance(one, Reach)}
    for index, meeting in enumerate(script):
        for name, goal in meeting.goals.items():
            try:
                with ErrorPath(index, "goals", name):
                    if name not in actors:
                        raise UnknownNameError(
                            f"Meeting {short_repr(meeting.name)} has a goal for {short_repr(name)}, who is "
                            "not on the stage."
                            f"{did_you_mean(name, actors)}"
                        )
                    participants[name] = participants.get(name) or _participant(
                        actors[name], reaches.get(name), strength
                    )
                    participants[name].locate_goal(goal, meeting.name)
            except KeyposeError as error:
                yield error


def add_clocks(actors: Mapping[str, Actor], plan: SyncPlan | None) -> dict[str, Actor]:
    """A cast as it is played: motions that meet somebody take ticks, with the bodies if some of those do too."""
    if plan is None:
        return dict(actors)
    kind = "bodies" if plan.follower_channels else "clocks"
    return {
        **actors,
        **{name: _clock_actor(actors[name], timed_motion, kind) for name, timed_motion in plan.clocked_motions.items()},
    }


def _clock_actor(actor: Actor, timed_motion: TimedMotion, kind: str) -> Actor:
    """Somebody whose motion goes by a clock of its own; which way that leads is then a matter of the clock, too."""
    facing = actor.facing if timed_motion.facing is None else None
    return actor.changed(motion_or_mover=ClockedMotion(timed_motion, kind), facing=facing)


def _participant(actor: Actor, reach: Reach | None, gravity: float) -> Participant:
    """How somebody can be slowed down; a sentence says why, if it cannot."""
    follower = actor.mover if isinstance(actor.mover, Follow) else reach
    if follower is not None:
        eagerness, damping = follower.pull
        k, _ = Gains.of(eagerness, damping, follower.reaction)
        sag = 0.0 if follower.correction is not None else sqrt(SAG_MARGIN * gravity / (k * follower.within))
        turn_speed = follower.pace / follower.within * radians(follower.turn_within)
        min_speed_factor = min(1.0, max(MIN_SPEED_FACTOR, sag))
        return Participant(actor.name, follower.path, follower.pace, turn_speed, follower.reaction, min_speed_factor)
    owner, remedy = f"Actor {actor.name!r} is to meet somebody", "Let it Follow a path, or give it a Motion."
    if isinstance(actor.mover, FigureLink):
        raise KeyposeError(
            f"{owner}, but is a link that nothing leads along a path. "
            f"Lead it by a Reach: connections=[Reach({actor.name!r}, path)]."
        )
    if isinstance(actor.mover, Figure):
        links = [f"{actor.name}/{link}" for link in actor.mover.links]
        hint = f"Name one of its links that a Reach leads, as {short_repr(links[-1])}." if links else remedy
        raise KeyposeError(f"{owner}, but is a figure, which goes wherever its links take it. {hint}")
    if actor.motion is None:
        raise KeyposeError(f"{owner}, but has no path to be slowed down on: {_no_path_reason(actor.mover)}. {remedy}")
    if isinstance(actor.motion, RecordedMotion):
        raise KeyposeError(f"{owner}, but is a recording, which has no keys. {remedy}")
    if actor.carriers:
        raise KeyposeError(
            f"{owner}, and its motion has keys that {short_repr(actor.carriers[0])} carries: when it passes "
            "them is solved "
            "before anything is played. Let it Follow that path."
        )
    if actor.body is not None:
        raise KeyposeError(f"{owner}, and its motion has a body. Let it Follow that path, or leave the body out.")
    facing = actor.facing if isinstance(actor.facing, FaceForward) else None
    return Participant(actor.name, actor.motion.path, 1.0, 1.0, 10 * TICK, motion=actor.motion, facing=facing)


def _no_path_reason(mover: Any) -> str:
    known = {"DynamicSpline": "fields steer it", "Free": "it goes wherever it is pushed", "Still": "it stands still"}
    return known.get(type(mover).__name__, f"what moves it is {short_repr(mover)}")
