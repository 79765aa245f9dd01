"""Is it over? Nobody knows before it is played: who is held up meets later, and those it meets with it.

So a take of which nobody said how long it is goes on, second after second, until all meetings are over and whoever was
in one has come to its end, or stands. A meeting that somebody only creeps to may take for ever: then `LONGEST` ends it.
"""

from collections.abc import Sequence

import numpy as np

from keypose.errors import shown
from keypose.maths.arrays import Floats
from keypose.maths.quaternion import angle_between
from keypose.motion.take import Event
from keypose.script.performance import outcomes
from keypose.script.runner import Runner
from keypose.stage.lasting import ARRIVING, comes
from keypose.stage.moment import Moment

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
