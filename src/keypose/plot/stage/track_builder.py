"""What does a stage or a take say of everybody? Asked at so many moments that a sheet of all of them can be read."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.maths.inputs import number
from keypose.motion.facing import LookAt
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.motion import Motion
from keypose.motion.mover import watched_by
from keypose.motion.pose import Pose
from keypose.motion.take import Recorded, Take
from keypose.plot.marks.bodies import shape_of
from keypose.plot.stage.actor_parts import alone, parts, reaches, skin_of
from keypose.plot.stage.tracks import NEVER, NOWHERE, Cast, Meeting, Player, player_of, thinned
from keypose.stage.actor import Actor, Camera
from keypose.stage.recorder.duration import a_round, ends
from keypose.stage.recorder.shoot import shoot, shot_out
from keypose.stage.stage import Stage
from keypose.timing.frames import checked_fps

DOTS, FEWEST_DOTS, MOST_DOTS = 2400, 12, 600  # of all, and of each
SAMPLES, FEWEST, MOST = 40_000, 60, 4000
FINELY, PER_KEY = 4, 8  # samples from frame to frame, and from key to key, so that a trail is a curve
BESIDE = 0.02  # of a sample: nearer to it, a key has no sample of its own
SETTLING, UNTOLD = 2.0, 5.0  # [s] movers are shot for: after the last motion, and where nothing ends
LONGEST_SHOT = 600.0  # [s]
MANY = 20  # more than so many actors have trails without keys, as have those with more than …
MANY_KEYS = 200  # … so many keys
FEW = 3  # of so many, everybody's distance from everybody is worth a line


def cast_of_take(take: Take, stage: Stage | None = None) -> Cast:
    """Everybody in a take, at its frames; what they look like is said by the stage it was shot on."""
    if not take.poses:
        raise KeyposeError("Nobody is in this take, so there is nothing to plot. Shoot a stage with an actor.")
    step, every = thinned(len(take), *_budget(len(take.poses)))
    asked = np.unique(np.append(np.arange(0, len(take), step), len(take) - 1))
    dots = np.unique(np.append(np.searchsorted(asked, np.arange(0, len(take), every)), len(asked) - 1))
    poses = {name: Pose(pose.position[asked], pose.orientation[asked]) for name, pose in take.poses.items()}
    players = tuple(
        replace(
            player_of(name, poses[name]),
            aims=take.targets[name][asked] if name in take.targets else NOWHERE,
            skin=skin_of(name, poses),
            **({} if stage is None or name not in stage.by_name else _dressed(stage, name, poses)),
        )
        for name in alone(poses, stage)
    )
    names = [player.name for player in players] if len(players) <= FEW else []
    pairs = tuple((one, other) for index, one in enumerate(names) for other in names[index + 1 :])
    return Cast(take.times[asked], dots, every, take.fps, players, (), take.events, pairs)


def cast_of_stage(stage: Stage, fps: float, seconds: float | None) -> Cast:
    """Everybody on a stage: from the first motion's beginning to the last one's end, or for so many seconds from 0.

    A stage with movers is shot: until two seconds after its last motion has ended, until followers have come and all
    meetings are over, or for five if nothing ends.
    """
    if not stage.actors:
        raise KeyposeError("Nobody is on this stage, so there is nothing to plot. Give it an actor.")
    if seconds is not None and not 0 < number(seconds, "The seconds to plot") < np.inf:
        raise KeyposeError(f"A stage was to be plotted for {seconds:g} s. Give a number greater than zero.")
    if stage.movers:
        return _shot(stage, fps, seconds)
    begin, end = _span(stage) if seconds is None else (0.0, float(seconds))
    times, dots, every = _moments(stage, begin, end, checked_fps(fps))
    events = stage.meetings.events(stage.meetings.story, end)
    poses = stage.at(times)
    players = tuple(
        Player(actor.name, poses[actor.name], **_worn(actor), **_keyed(stage, actor, begin, end))
        for actor in stage.actors
    )
    return _told(stage, Cast(times, dots, every, fps, players, (), events))


def shot_for_a_picture(stage: Stage, fps: float) -> Take:
    """A stage with movers, shot as long as a picture of it wants, and until all its meetings are over."""
    return shot_out(stage, shot_for(stage), fps)


def shot_for(stage: Stage) -> float:
    """How long [s] a stage with movers is shot for a picture, if nothing is in the way of those who meet."""
    settled = stage.duration + SETTLING if stage.duration else 0.0
    lasts = max(ends(stage), a_round(stage), settled) or UNTOLD
    if lasts > LONGEST_SHOT:
        raise KeyposeError(
            f"This stage has movers and would be shot for {lasts:g} s to be plotted. Say how long: seconds=60."
        )
    return lasts


def _shot(stage: Stage, fps: float, seconds: float | None) -> Cast:
    """A stage with movers, shot for the picture."""
    take = shot_for_a_picture(stage, fps) if seconds is None else shoot(stage, float(seconds), fps)
    taken = cast_of_take(take, stage)
    players = tuple(
        replace(player, **_keyed(stage, stage.by_name[player.name], *taken.span)) for player in taken.players
    )
    return _told(stage, replace(taken, players=players, shot=float(take.times[-1])))


def _budget(actors: int) -> tuple[int, int]:
    """How many samples and how many dots each of so many actors may have."""
    return (
        int(np.clip(SAMPLES // actors, FEWEST, MOST)),
        int(np.clip(DOTS // actors, FEWEST_DOTS, MOST_DOTS)),
    )


def _span(stage: Stage) -> tuple[float, float]:
    """From when to when its motions run [s]; those that repeat, once."""
    spans = np.array([actor.motion.span for actor in stage.actors if actor.motion is not None])
    return float(spans[:, 0].min()), float(spans[:, 1].max())


def _moments(stage: Stage, begin: float, end: float, fps: float) -> tuple[Floats, NDArray[np.int64], int]:
    """The moments to ask a stage for, which of them are dots, and one in how many frames those are."""
    most, dots = _budget(len(stage.actors))
    _, every = thinned(int((end - begin) * fps) + 1, most, dots)
    shown = begin + np.arange(int((end - begin) * fps / every) + 1) * every / fps
    wanted = max(FINELY * every, PER_KEY * max(len(actor.keys) for actor in stage.actors) // len(shown))
    finely = int(np.clip(most // len(shown), 1, wanted))
    step = min(every / fps, end - begin) / finely
    even = np.append((shown[:, None] + step * np.arange(finely)).reshape(-1), end)
    even = even[even <= end]
    keys = np.unique(np.concatenate([_key_times(stage, actor, begin, end) for actor in stage.actors]))
    if len(keys) <= most:  # so that a corner is a corner
        nearest = np.abs(keys[:, None] - even[np.clip(np.searchsorted(even, keys)[:, None] - [1, 0], 0, len(even) - 1)])
        even = np.sort(np.concatenate([even, keys[nearest.min(axis=1) > BESIDE * step]]))
    times = even[np.append(True, np.diff(even) > BESIDE * step)]
    times[-1] = end
    dotted = np.clip(np.searchsorted(times, np.append(shown, end) - BESIDE * step), 0, len(times) - 1)
    return times, np.unique(dotted), every


def _keyed(stage: Stage, actor: Actor, begin: float, end: float) -> dict[str, Any]:
    """What is known of an actor's motion."""
    return {
        "jumps": any(other.motion is not None and other.motion.outside == "cycle" for other in stage.actors),
        "span": None if actor.motion is None else _heard(actor.motion, begin, end),
        "key_times": _key_times(stage, actor, begin, end),
        "key_places": _key_places(actor) if len(stage.actors) <= MANY else NOWHERE,
    }


def _worn(actor: Actor) -> dict[str, Any]:
    """What an actor looks like, whatever it does."""
    fov = actor.look.fov if isinstance(actor.look, Camera) else None
    return {"look": actor.look, "parent": actor.parent, "shape": shape_of(actor), "fov": fov}


def _dressed(stage: Stage, name: str, poses: dict[str, Pose]) -> dict[str, Any]:
    """What somebody in a take looks like, with all that hangs on it."""
    actor = stage.by_name[name]
    return {**_worn(actor), "parts": parts(stage, actor, poses)}


def _heard(motion: Motion, begin: float, end: float) -> tuple[float, float]:
    """When a motion runs, of what is shown; one that repeats, all the time."""
    if motion.outside != "hold":
        return begin, end
    return max(motion.span[0], begin), min(motion.span[1], end)


def _key_times(stage: Stage, actor: Actor, begin: float, end: float) -> Floats:
    """When an actor passes its keys, as far as that is known without shooting, within a span; lap after lap."""
    motion = actor.motion
    if motion is None or isinstance(motion, Recorded) or len(actor.keys) > MANY_KEYS:
        return NEVER
    if actor.name in stage.meetings:
        if actor.name in stage.meetings.live:
            return NEVER
        meeting = stage.meetings.of(actor.name)
        timed = np.isfinite(meeting.blank.passed).all()
        times = meeting.motion.key_times if timed else stage.meetings.story(actor.name).passed
    else:
        times = motion.key_times
    if motion.outside != "hold" and motion.duration > 0:
        first, last = motion.span
        lap = motion.duration if motion.outside == "cycle" else 2 * motion.duration
        once = times if motion.outside == "cycle" else np.concatenate([times, 2 * last - times])
        laps = np.arange(np.floor((begin - first) / lap), min(np.ceil((end - first) / lap), MANY_KEYS) + 1)
        times = np.unique((once + lap * laps[:, None]).reshape(-1))
    return np.asarray(times[(times >= begin) & (times <= end)])


def _key_places(actor: Actor) -> Floats:
    """Where those keys are that stand in the world, (keys, 3)."""
    if actor.motion is None or actor.parent is not None or not 0 < len(actor.keys) <= MANY_KEYS:
        return NOWHERE
    standing = np.array([index for index, key in enumerate(actor.keys) if key.relative_to is None], dtype=np.float64)
    if not len(standing):
        return NOWHERE
    path = actor.motion.path
    return middle(in_space(Pose(path.at(standing), path.orientation_at(standing))))


def _told(stage: Stage, cast: Cast) -> Cast:
    """The cast with who meets whom, and between whom the distance matters."""
    (begin, end), found, pairs = cast.span, list[Meeting](), dict[frozenset[str], tuple[str, str]]()
    for actor in stage.actors:
        others = list(actor.carriers)
        if actor.mover is not None:
            others += watched_by(actor.mover, f"Actor {actor.name!r}")
        if isinstance(actor.facing, LookAt):
            others.append(actor.facing.name)
        for other in others:
            pairs.setdefault(frozenset((actor.name, other)), (actor.name, other))
        if actor.name in stage.meetings and actor.name not in stage.meetings.live:
            meeting, story = stage.meetings.of(actor.name), stage.meetings.story(actor.name)
            for key, carrier in zip(meeting.loose.loose.tolist(), meeting.carriers, strict=True):
                time = meeting.passing_of(key, story)
                if begin <= time <= end:
                    place = middle(stage.instants(np.array([time])).pose(actor.name))[0]
                    found.append(Meeting(actor.name, carrier, time, place))
    for link, reach in reaches(stage).items():
        for other in reach.carriers:
            pairs.setdefault(frozenset((link, other)), (link, other))
    seen = [pair for pair in pairs.values() if cast.by_name.keys() >= set(pair)]
    return replace(cast, meetings=tuple(sorted(found, key=lambda meeting: meeting.time)), pairs=tuple(seen))
