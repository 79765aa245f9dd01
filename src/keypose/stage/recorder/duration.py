"""How long does a stage last? Until its motions have ended, its followers have come and everybody has met.

Followers may be held up by whatever is in their way: so they are given somewhat longer than they would take alone. How
long it takes to meet is worked out the same way: each goes at its own speed, and waits for who comes last.

Is it over? Nobody knows before it is played: who is held up meets later, and those it meets with it.

So a take of which nobody said how long it is goes on, second after second, until all meetings are over and whoever was
in one has come to its end, or stands. A meeting that somebody only creeps to may take for ever: then `MAX_DURATION`
ends it.
"""

import math
from collections.abc import Sequence

import numpy as np

from keypose.errors import short_repr
from keypose.maths import Floats, quaternion
from keypose.motion import Event
from keypose.physics import Follow, Reach
from keypose.script import Participant, SyncPlan, meeting_outcomes
from keypose.stage.followers import find_followers
from keypose.stage.run.moment import Moment
from keypose.stage.stage import Stage

DURATION_MARGIN, ARRIVAL_SECONDS = 1.1, 1.0  # times as long as a race takes, and so many seconds [s]
MAX_DURATION = 600.0  # [s]: then a race is over, or never will be


def expected_duration(stage: Stage) -> float:
    """When everything has ended that ends by itself [s]: motions, paths that are followed, meetings; 0 if none does."""
    durations = [_follow_duration(one) for _, one in find_followers(stage) if not one.path.closed]
    if stage.resolved.sync_plan is not None:
        durations.append(_add_margin(meetings_duration(stage.resolved.sync_plan)))
    return max([stage.resolved.duration, *durations])


def lap_duration(stage: Stage) -> float:
    """How long it takes who follows a closed path to go round it once [s]; 0 if nobody does."""
    return max([0.0, *(_follow_duration(one) for _, one in find_followers(stage) if one.path.closed)])


def meetings_duration(plan: SyncPlan) -> float:
    """When everybody has met, and who met somebody has come to its end [s], if nothing is in the way."""
    delays, meeting_times = [0.0] * len(plan.channels), dict[str, float]()
    numbers = {name: number for number, name in enumerate(plan.names)}
    for meeting in plan.script.in_order():
        goals = plan.goals_of(numbers[meeting.name])
        arrival_times = {
            goal: arrival_time(plan.participants[plan.goal_actors[goal]], float(plan.goal_progress[goal]))
            for goal in goals
        }
        channel = {goal: int(plan.goal_channel[goal]) for goal in goals}
        last_arrival = max(arrival_times[goal] + delays[channel[goal]] for goal in goals)
        meeting_times[meeting.name] = (
            max([last_arrival, *(meeting_times[parent] for parent in meeting.after)]) if meeting.gate else last_arrival
        )
        for goal in goals:
            delays[channel[goal]] = max(delays[channel[goal]], meeting_times[meeting.name] - arrival_times[goal])
    end_times = (
        _participant_duration(plan.participants[name]) + wait
        for (name, _), wait in zip(plan.channels, delays, strict=True)
    )
    return max([*meeting_times.values(), *end_times])


def _follow_duration(follower: Follow | Reach) -> float:
    return _add_margin(follower.path.length / follower.pace)


def _add_margin(seconds: float) -> float:
    """Somewhat longer than that, in whole seconds; never without end."""
    return float(math.ceil(min(DURATION_MARGIN * seconds + ARRIVAL_SECONDS, MAX_DURATION)))


def arrival_time(participant: Participant, goal: float) -> float:
    """When somebody comes to a goal if nothing slows it down [s]."""
    if participant.motion is not None:
        return goal
    laps, rest = divmod(goal, participant.lap_length) if participant.lap_length else (0.0, goal)
    return (laps * participant.path.length + float(participant.path.distance(rest))) / participant.nominal_speed


def _participant_duration(participant: Participant) -> float:
    return (
        participant.path.length / participant.nominal_speed
        if participant.motion is None
        else participant.motion.span[1]
    )


STOPPED_FRACTION = 0.1  # of its own speed: who goes slower than that will not come
MAX_NAMED_MEETINGS = 5  # meetings are named
ORIENTATION_SAMPLES = 65  # facings by which it is seen how far somebody has turned, as it may have gone round and round


def needs_more_time(now: Moment, times: Floats, progress_frames: Sequence[Floats]) -> bool:
    """Whether there is more to see after the last of these times [s].

    There is while a meeting is not over, for a second after the last one was, and as long as somebody in one gets on
    who has an end to come to. `progress_frames` (2, strands) are the eases and places at each time.
    """
    plan, last = now.stage.sync_plan, float(times[-1])
    if plan is None:
        return False
    results = meeting_outcomes(plan.script, now.events).values()
    end_times = [one.done if one.failed is None else one.failed for one in results]
    if any(time is None or time > last - ARRIVAL_SECONDS for time in end_times):
        return True
    before = max(int(np.searchsorted(times, last - ARRIVAL_SECONDS, side="right")) - 1, 0)
    (_, start_progress), (_, end_progress) = progress_frames[before], progress_frames[-1]
    channels = [channel for system in now.stage.sync_systems.values() for channel in system.channels]
    return any(
        _travel_time(plan.participants[name], is_rotation, *progress) > STOPPED_FRACTION * (last - times[before])
        for (name, is_rotation), *progress in zip(channels, start_progress.tolist(), end_progress.tolist(), strict=True)
        if not plan.participants[name].lap_length
    )


def _travel_time(participant: Participant, is_rotation: bool, start: float, stop: float) -> float:
    """How long somebody would have taken at its own speed from one place to another [s]."""
    if participant.motion is not None:  # its clock goes on when it has ended
        end = float(participant.motion.span[1])
        return min(stop, end) - min(start, end)
    if not is_rotation:
        return arrival_time(participant, stop) - arrival_time(participant, start)
    orientations = participant.path.orientation_at(np.linspace(start, stop, ORIENTATION_SAMPLES))
    return float(quaternion.angle_between(orientations[:-1], orientations[1:]).sum()) / participant.nominal_turn_speed


def open_meeting_warning(now: Moment, time: float) -> tuple[Event, ...]:
    """What is told of meetings that are not over when the longest take ends that nobody said a length of."""
    plan = now.stage.sync_plan
    results = {} if plan is None else meeting_outcomes(plan.script, now.events)
    names = [name for name, one in results.items() if one.done is None and one.failed is None]
    if plan is None or not names:
        return ()
    is_plural = len(names) > 1
    meeting_names = (
        f"{', '.join(map(short_repr, names[:MAX_NAMED_MEETINGS]))}{' …' * (len(names) > MAX_NAMED_MEETINGS)}"
    )
    text = (
        f"Meeting{'s' * is_plural} {meeting_names} {'are' if is_plural else 'is'} not over after {time:g} s, "
        "and no take is longer "
        f"by itself. Say how long to shoot, as {2 * time:g} seconds."
    )
    return (Event(time, next(iter(plan.script[names[0]].goals)), text, "warning"),)
