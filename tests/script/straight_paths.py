"""Followers and motions on straight ways with named keys, and what became of their meetings."""

import numpy as np

from keypose import Actor, Body, Follow, Key, Motion, MotionPath, Script, Sphere, Stage

BALL = Body(Sphere(0.1), 1.0)
FPS = 100


def straight_path(length, lane=0.0, segments=1, *, up=0.0, closed=False):
    """A straight way along x in a lane of its own, past keys 0, 1 … that are as far apart."""
    keys = [Key((length * number / segments, up, 2.0 * lane), name=f"{number}") for number in range(segments + 1)]
    return MotionPath(keys, closed=closed)


def follower(length, lane=0.0, segments=1, **options):
    """Somebody with a body that follows such a way at 2 m/s, unless said."""
    return Follow(straight_path(length, lane, segments), BALL, **{"within": 0.4, **options})


def walk(seconds, lane=0.0, segments=1, length=1.0):
    """A motion along such a way."""
    return Motion(straight_path(length, lane, segments), duration=seconds)


def meeting(goals, **options):
    """A script of one meeting."""
    script = Script()
    script.meet(goals, name="meeting", **options)
    return script


def event_times(take_or_run, meeting, state, actor=None):
    """The times [s] at which a meeting came to a state."""
    found = [
        event for event in take_or_run.events if getattr(event, "meeting", None) == meeting and event.state == state
    ]
    return [event.time for event in found if actor is None or event.actor == actor]


def meeting_states(take_or_run, meeting):
    """All states of a meeting, one after the other."""
    found = (event for event in take_or_run.events if getattr(event, "meeting", None) == meeting)
    return [event.state for event in found if event.state != "reached"]


def spread(take_or_run, meeting):
    """Between the first and the last who came [s]."""
    arrival_times = event_times(take_or_run, meeting, "reached")
    return max(arrival_times) - min(arrival_times)


def pair(script, first_length=2, second_length=5, *others, segments=1, **options):
    """Somebody with 2 m to go, and somebody with 5."""
    actors = [
        Actor("a", follower(first_length, 0, segments, **options)),
        Actor("b", follower(second_length, 1, segments, **options)),
    ]
    return Stage([*actors, *others], script=script)


def speeds(take, name):
    """How fast a body is from each frame to the next [m/s]."""
    return np.linalg.norm(np.diff(take[name].position, axis=0), axis=1) * take.fps


def passing_time(take, name, x):
    """When somebody was first at x or behind it."""
    return float(take.times[np.argmax(take[name].position[:, 0] >= x)])
