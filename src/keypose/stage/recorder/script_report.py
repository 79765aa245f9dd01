"""How do those go who keep appointments? Their companies know it at every tick; a frame is on the way between two."""

from collections.abc import Mapping, Sequence

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.quaternion import angle_between
from keypose.motion.take import Event
from keypose.script.participant import Runner
from keypose.script.report import TURN, Performance, outcomes
from keypose.stage.run.moment import Moment, share_of_way
from keypose.stage.stage import Stage

Strand = tuple[str, bool]

PER_KEY = 8  # samples between two keys, to see whether a path goes anywhere


def goings_at(before: Moment, after: Moment, time: float) -> Floats:
    """(2, strands) the eases of all who keep appointments at a time [s] from one tick to the next; where they are."""
    share, found = share_of_way(before, after, time), [np.empty((2, 0))]
    for kind, company in after.stage.keeping.items():
        state, last = after.casts[kind].state, before.casts.get(kind)
        going = np.stack([company.eases(state), company.progress(state)])
        if share < 1 and last is not None and last.company is company:
            earlier = np.stack([company.eases(last.state), company.progress(last.state)])
            going = earlier + share * (going - earlier)
        found.append(going)
    return np.concatenate(found, axis=1)


def performed(
    stage: Stage, times: Floats, goings: Sequence[Floats], targets: Mapping[str, Floats], events: Sequence[Event]
) -> Performance | None:
    """How the script of a stage was kept, by what was seen in each frame; None without meetings."""
    if stage.plan is None:
        return None
    strands = [strand for company in stage.keeping.values() for strand in company.strands]
    eases, places = np.stack(goings, axis=-1)
    names = _names(strands)
    speeds, own, turns = dict[str, Floats](), dict[str, Floats](), set[str]()
    for row, (strand, name) in enumerate(zip(strands, names, strict=True)):
        runner = stage.plan.runners[strand[0]]
        own[name] = _own_speed(runner, strand[1], places[row])
        if runner.motion is not None:
            speeds[name] = eases[row] * own[name]
        elif strand[1]:
            speeds[name] = _speed(times, _angles(runner.path.orientation_at(places[row])))
        else:
            speeds[name] = _speed(times, _distances(targets[strand[0]]))
        if strand[1] or (runner.motion is not None and not _goes_anywhere(runner)):
            turns.add(name)
    met = outcomes(stage.plan.script, events)
    kept = dict(zip(names, eases, strict=True))
    said = {name: stage.by_name[name].look for name in stage.plan.script.actors}
    looks = {name: look for name, look in said.items() if isinstance(look, str)}
    return Performance(stage.plan.script, times, kept, speeds, own, frozenset(turns), met, looks)


def _names(strands: Sequence[Strand]) -> list[str]:
    """What each is called: as its actor, or as the turn of that."""
    taken, found = {name for name, _ in strands}, list[str]()
    for name, turns in strands:
        called = f"{name}{TURN}" if turns else name
        while turns and called in taken:
            called = f"{called}{TURN}"
        taken.add(called)
        found.append(called)
    return found


def _own_speed(runner: Runner, turns: bool, clock: Floats) -> Floats:
    """How fast it would go on its own, at all frames: a target always alike, a motion as it does then."""
    if runner.motion is not None:
        return np.asarray(runner.motion.speed(clock))
    return np.full(len(clock), runner.turn_pace if turns else runner.pace)


def _goes_anywhere(runner: Runner) -> bool:
    """Whether its path leads from one place to another, or all keys only turn."""
    path = runner.path
    places = path.at(np.linspace(0, path.segments, PER_KEY * path.segments + 1))
    return bool(np.ptp(places, axis=0).any())


def _distances(places: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.diff(places, axis=0), axis=-1))


def _angles(facings: Floats) -> Floats:
    return np.asarray(angle_between(facings[:-1], facings[1:]))


def _speed(times: Floats, gone: Floats) -> Floats:
    """The speed in each frame, by how far it went from each to the next: the mean of before and after."""
    between = gone / np.diff(times)
    return (np.append(between, between[-1]) + np.insert(between, 0, between[0])) / 2
