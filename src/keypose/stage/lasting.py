"""How long does a stage last? Until its motions have ended, its followers have come and everybody has met.

Followers may be held up by whatever is in their way: so they are given somewhat longer than they would take alone. How
long it takes to meet is worked out the same way: each goes at its own speed, and waits for who comes last.
"""

import math

from keypose.physics.connections import Reach
from keypose.physics.movers import Follow
from keypose.script.appointments import Appointments
from keypose.script.runner import Runner
from keypose.stage.racers import racers
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
