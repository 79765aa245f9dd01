"""How do those go who keep appointments? Their companies know it at every tick; a frame is on the way between two."""

from collections.abc import Mapping, Sequence

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.motion import Event
from keypose.script import TURN_SUFFIX, Participant, ScriptReport, meeting_outcomes
from keypose.stage.resolved_stage import ResolvedStage
from keypose.stage.run.moment import Moment, tick_fraction

Channel = tuple[str, bool]

SAMPLES_PER_KEY = 8  # samples between two keys, to see whether a path goes anywhere


def sync_progress_at(before: Moment, after: Moment, time: float) -> Floats:
    """(2, strands) the eases of all who keep appointments at a time [s] from one tick to the next; where they are."""
    fraction, found = tick_fraction(before, after, time), [np.empty((2, 0))]
    for kind, system in after.stage.sync_systems.items():
        state, last = after.system_states[kind].state, before.system_states.get(kind)
        progress = np.stack([system.speed_factors(state), system.progress(state)])
        if fraction < 1 and last is not None and last.system is system:
            earlier = np.stack([system.speed_factors(last.state), system.progress(last.state)])
            progress = earlier + fraction * (progress - earlier)
        found.append(progress)
    return np.concatenate(found, axis=1)


def build_script_report(
    stage: ResolvedStage,
    times: Floats,
    progress_frames: Sequence[Floats],
    targets: Mapping[str, Floats],
    events: Sequence[Event],
) -> ScriptReport | None:
    """How the script of a stage was kept, by what was seen in each frame; None without meetings."""
    if stage.sync_plan is None:
        return None
    channels = [channel for system in stage.sync_systems.values() for channel in system.channels]
    speed_factors, positions = np.stack(progress_frames, axis=-1)
    names = _channel_names(channels)
    speeds, nominal_speeds, rotations = dict[str, Floats](), dict[str, Floats](), set[str]()
    for row, (channel, name) in enumerate(zip(channels, names, strict=True)):
        participant = stage.sync_plan.participants[channel[0]]
        nominal_speeds[name] = _nominal_speed(participant, channel[1], positions[row])
        if participant.motion is not None:
            speeds[name] = speed_factors[row] * nominal_speeds[name]
        elif channel[1]:
            speeds[name] = _frame_speeds(times, _angles(participant.path.orientation_at(positions[row])))
        else:
            speeds[name] = _frame_speeds(times, _distances(targets[channel[0]]))
        if channel[1] or (participant.motion is not None and not _has_extent(participant)):
            rotations.add(name)
    meetings = meeting_outcomes(stage.sync_plan.script, events)
    factors = dict(zip(names, speed_factors, strict=True))
    actor_looks = {name: stage.by_name[name].look for name in stage.sync_plan.script.actors}
    colors = {name: look for name, look in actor_looks.items() if isinstance(look, str)}
    return ScriptReport(
        stage.sync_plan.script, times, factors, speeds, nominal_speeds, frozenset(rotations), meetings, colors
    )


def _channel_names(channels: Sequence[Channel]) -> list[str]:
    """What each is called: as its actor, or as the turn of that."""
    taken, found = {name for name, _ in channels}, list[str]()
    for name, is_rotation in channels:
        label = f"{name}{TURN_SUFFIX}" if is_rotation else name
        while is_rotation and label in taken:
            label = f"{label}{TURN_SUFFIX}"
        taken.add(label)
        found.append(label)
    return found


def _nominal_speed(participant: Participant, is_rotation: bool, progress: Floats) -> Floats:
    """How fast it would go on its own, at all frames: a target always alike, a motion as it does then."""
    if participant.motion is not None:
        return np.asarray(participant.motion.speed(progress))
    return np.full(len(progress), participant.nominal_turn_speed if is_rotation else participant.nominal_speed)


def _has_extent(participant: Participant) -> bool:
    """Whether its path leads from one place to another, or all keys only turn."""
    path = participant.path
    positions = path.at(np.linspace(0, path.segments, SAMPLES_PER_KEY * path.segments + 1))
    return bool(np.ptp(positions, axis=0).any())


def _distances(positions: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.diff(positions, axis=0), axis=-1))


def _angles(orientations: Floats) -> Floats:
    return np.asarray(quaternion.angle_between(orientations[:-1], orientations[1:]))


def _frame_speeds(times: Floats, distances: Floats) -> Floats:
    """The speed in each frame, by how far it went from each to the next: the mean of before and after."""
    between = distances / np.diff(times)
    return (np.append(between, between[-1]) + np.insert(between, 0, between[0])) / 2
