"""Stages with scripts that are played, and what is known of their meetings."""

from keypose import (
    Actor,
    Body,
    Box,
    Script,
    Stage,
    Still,
)
from tests.script.straight_paths import follower, walk


def scene():
    """Three followers and a motion in three meetings, one of which fails."""
    script = Script()
    first = script.meet({"a": "1", "b": "2"}, name="first")
    second = script.meet({"b": "3", "c": "1", "m": "1"}, after=first, name="second", gate=True)
    script.meet({"a": "4", "d": "1"}, after=second, name="stuck", patience=1.2)
    script.meet({"a": "4", "b": "4"}, after=second, of="bodies", name="bodies")
    actors = [Actor(name, follower(6, lane, 4)) for lane, name in enumerate("abc")]
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (0.5, 0, 8.0)))
    return Stage([*actors, Actor("d", follower(6, 4, 4)), wall, Actor("m", walk(1.0, 6))], script=script)


def motions():
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first")
    script.meet({"a": "2", "c": "1"}, after=first, name="second")
    return Stage([Actor(name, walk(1.0 + lane, lane, 2)) for lane, name in enumerate("abc")], script=script)


def sync_state_bytes(run):
    """All that is known of meetings, to the bit."""
    (sync_state,) = [
        system_state.system.sync_state(system_state.state)[1] for system_state in run.moment.system_states.values()
    ]
    fields = {name: value for name, value in vars(sync_state).items() if name != "events"}
    return fields | {"records": [array.tobytes() for array in sync_state.records]}, sync_state.events


def run_until(run, time):
    while run.time < time - 1e-9:
        run.tick()
    return run
