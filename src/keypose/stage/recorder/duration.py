"""How long does a stage last? Until its motions have ended, its followers have come and everybody has met.

Followers may be held up by whatever is in their way: so they are given somewhat longer than they would take alone. How
long it takes to meet is worked out the same way: each goes at its own speed, and waits for who comes last.

Is it over? Nobody knows before it is played: who is held up meets later, and those it meets with it.

So a take of which nobody said how long it is goes on, second after second, until all meetings are over and whoever was
in one has come to its end, or stands. A meeting that somebody only creeps to may take for ever: then `LONGEST` ends it.
"""

import math
from collections.abc import Sequence

import numpy as np

from keypose.errors import shown
from keypose.maths.arrays import Floats
from keypose.maths.quaternion import angle_between
from keypose.motion.take import Event
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow
from keypose.script.participant import Runner
from keypose.script.report import outcomes
from keypose.script.sync.sync_plan import Appointments
from keypose.stage.followers import racers
from keypose.stage.run.moment import Moment
from keypose.stage.stage import Stage

LONGER, ARRIVING = 1.1, 1.0  # times as long as a race takes, and so many seconds [s]
LONGEST = 600.0  # [s]: then a race is over, or never will be


def ends(stage: Stage) -> float:
    """When everything has ended that ends by itself [s]: motions, paths that are followed, meetings; 0 if none does."""
    races = [_race(one) for _, one in racers(stage) if not one.path.closed]
    if stage.plan is not None:
        races.append(_about(met_by(stage.plan)))
    return max([stage.duration, *races])


def a_round(stage: Stage) -> float:
    """How long it takes who follows a closed path to go round it once [s]; 0 if nobody does."""
    return max([0.0, *(_race(one) for _, one in racers(stage) if one.path.closed)])


def met_by(plan: Appointments) -> float:
    """When everybody has met, and who met somebody has come to its end [s], if nothing is in the way."""
    late, met = [0.0] * len(plan.strands), dict[str, float]()
    numbers = {name: number for number, name in enumerate(plan.names)}
    for meeting in plan.script.in_order():
        goals = plan.goals_of(numbers[meeting.name])
        own = {goal: comes(plan.runners[plan.actors[goal]], float(plan.where[goal])) for goal in goals}
        strand = {goal: int(plan.goal_strand[goal]) for goal in goals}
        came = max(own[goal] + late[strand[goal]] for goal in goals)
        met[meeting.name] = max([came, *(met[parent] for parent in meeting.after)]) if meeting.gate else came
        for goal in goals:
            late[strand[goal]] = max(late[strand[goal]], met[meeting.name] - own[goal])
    come = (_ends(plan.runners[name]) + wait for (name, _), wait in zip(plan.strands, late, strict=True))
    return max([*met.values(), *come])


def _race(racing: Follow | Reach) -> float:
    return _about(racing.path.length / racing.pace)


def _about(seconds: float) -> float:
    """Somewhat longer than that, in whole seconds; never without end."""
    return float(math.ceil(min(LONGER * seconds + ARRIVING, LONGEST)))


def comes(runner: Runner, where: float) -> float:
    """When somebody comes to a goal if nothing slows it down [s]."""
    if runner.motion is not None:
        return where
    rounds, rest = divmod(where, runner.round) if runner.round else (0.0, where)
    return (rounds * runner.path.length + float(runner.path.distance(rest))) / runner.pace


def _ends(runner: Runner) -> float:
    return runner.path.length / runner.pace if runner.motion is None else runner.motion.span[1]


STANDS = 0.1  # of its own speed: who goes slower than that will not come
TOLD = 5  # meetings are named
LOOKS = 65  # facings by which it is seen how far somebody has turned, as it may have gone round and round


def goes_on(now: Moment, times: Floats, goings: Sequence[Floats]) -> bool:
    """Whether there is more to see after the last of these times [s].

    There is while a meeting is not over, for a second after the last one was, and as long as somebody in one gets on
    who has an end to come to. `goings` (2, strands) are the eases and places at each time.
    """
    plan, last = now.stage.plan, float(times[-1])
    if plan is None:
        return False
    met = outcomes(plan.script, now.events).values()
    over = [one.done if one.failed is None else one.failed for one in met]
    if any(time is None or time > last - ARRIVING for time in over):
        return True
    before = max(int(np.searchsorted(times, last - ARRIVING, side="right")) - 1, 0)
    (_, began), (_, ended) = goings[before], goings[-1]
    strands = [strand for company in now.stage.keeping.values() for strand in company.strands]
    return any(
        _gone(plan.runners[name], turns, *way) > STANDS * (last - times[before])
        for (name, turns), *way in zip(strands, began.tolist(), ended.tolist(), strict=True)
        if not plan.runners[name].round
    )


def _gone(runner: Runner, turns: bool, began: float, ended: float) -> float:
    """How long somebody would have taken at its own speed from one place to another [s]."""
    if runner.motion is not None:  # its clock goes on when it has ended
        end = float(runner.motion.span[1])
        return min(ended, end) - min(began, end)
    if not turns:
        return comes(runner, ended) - comes(runner, began)
    facings = runner.path.orientation_at(np.linspace(began, ended, LOOKS))
    return float(angle_between(facings[:-1], facings[1:]).sum()) / runner.turn_pace


def told_open(now: Moment, time: float) -> tuple[Event, ...]:
    """What is told of meetings that are not over when the longest take ends that nobody said a length of."""
    plan = now.stage.plan
    met = {} if plan is None else outcomes(plan.script, now.events)
    names = [name for name, one in met.items() if one.done is None and one.failed is None]
    if plan is None or not names:
        return ()
    several = len(names) > 1
    which = f"{', '.join(map(shown, names[:TOLD]))}{' …' * (len(names) > TOLD)}"
    text = (
        f"Meeting{'s' * several} {which} {'are' if several else 'is'} not over after {time:g} s, and no take is longer "
        f"by itself. Say how long to shoot, as {2 * time:g} seconds."
    )
    return (Event(time, next(iter(plan.script[names[0]].goals)), text, "warning"),)
