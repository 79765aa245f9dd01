"""The rules that advance meetings: references, or kernels if these are available, with the same arguments."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from keypose.maths import Bools, Floats, Ints, fast_call, kernels_available
from keypose.motion import Distances, SyncGraph, SyncRecords


@dataclass
class RuleSet:
    """The rules of one kind; each field is a function, described where it is defined."""

    mark_targets: Callable[[SyncGraph, SyncRecords, Floats, float], bool]
    mark_bodies: Callable[[SyncGraph, SyncRecords, Floats, float, float], bool]
    update_meeting_states: Callable[[SyncGraph, SyncRecords, Ints], bool]
    update_stops: Callable[[SyncGraph, SyncRecords, Floats], None]
    set_initial_speeds: Callable[[SyncGraph, SyncRecords, Floats, Floats, Bools], None]
    regulate: Callable[[SyncGraph, SyncRecords, Floats, Distances, float, float], int]
    has_deadlock: Callable[[SyncGraph, SyncRecords, Floats, Bools], bool]
    update_clock_distances: Callable[[SyncGraph, SyncRecords, Floats], None]
    update_clock_rates: Callable[[SyncGraph, SyncRecords, float, Floats], None]
    clamp_clocks: Callable[[SyncGraph, SyncRecords, Floats], None]
    update_clock_waits: Callable[[SyncGraph, SyncRecords], None]


def current_rules() -> RuleSet:
    """The kernels, or the references with `KEYPOSE_KERNELS=off` or without numba."""
    return kernel_rules() if kernels_available() else reference_rules()


@cache
def reference_rules() -> RuleSet:
    """The rules in numpy, as in the paper."""
    from keypose.script.sync.rules import arrivals, clock_rates, deadlock, regulation, stops

    return RuleSet(
        arrivals.mark_targets,
        arrivals.mark_bodies,
        arrivals.update_meeting_states,
        stops.update_stops,
        regulation.set_initial_speeds,
        regulation.regulate,
        deadlock.has_deadlock,
        clock_rates.update_clock_distances,
        clock_rates.update_clock_rates,
        clock_rates.clamp_clocks,
        clock_rates.update_clock_waits,
    )


@cache
def kernel_rules() -> RuleSet:
    """The compiled rules. After its first call each is replaced by its machine code, which is called faster."""
    from keypose.script.sync.kernels import arrivals, clock_rates, deadlock, regulation, stops

    rules = RuleSet(
        arrivals.mark_targets,
        arrivals.mark_bodies,
        arrivals.update_meeting_states,
        stops.update_stops,
        regulation.set_initial_speeds,
        regulation.regulate,
        deadlock.has_deadlock,
        clock_rates.update_clock_distances,
        clock_rates.update_clock_rates,
        clock_rates.clamp_clocks,
        clock_rates.update_clock_waits,
    )
    for name, function in list(vars(rules).items()):
        setattr(rules, name, fast_call(function, partial(setattr, rules, name)))
    return rules
