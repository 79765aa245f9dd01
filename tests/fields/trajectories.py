"""Objects flown by the room's own pieces, without a stage: a field or a tracker, tick by tick."""

import numpy as np

from keypose.fields.film_units import FILM_FRAME, field_per_frame, frames_per_tick, velocity
from keypose.fields.splines.integrators import advance, initial_state


def spline_states(field, ticks, position=(0.0, 0.0, 0.0), speed=(0.0, 0.0, 0.0), *, tick=FILM_FRAME, **options):
    """The states of objects under field(P, v, t), an acceleration [m/s²], at every tick; words as for `advance`."""
    states = [initial_state(position, speed)]
    for i in range(ticks):
        state = states[-1]
        push = field_per_frame(field(state.P, velocity(state.T), i * tick))
        states.append(advance(state, np.broadcast_to(push, state.P.shape), tick=tick, **options))
    return states


def tracked_states(
    tracker, ticks, target, position=None, *, gain=1.0, speed=(0.0, 0.0, 0.0), tick=FILM_FRAME, **options
):
    """The states of objects whose tracker follows target(i) at every tick i; they begin on it unless told."""
    states = [initial_state(target(0) if position is None else position, speed)]
    memory, old, r = None, target(0), frames_per_tick(tick)
    for i in range(ticks):
        state, target_position = states[-1], np.asarray(target(i), dtype=float)
        observed = (state.P, velocity(state.T), target_position, (target_position - old) / tick, i * tick)
        memory = tracker.begin(*observed) if i == 0 else memory
        f, memory = tracker.pull(memory, *observed, r)
        states.append(advance(state, gain * f, tick=tick, **options))
        old = target_position
    return states


def state_positions(states):
    """P of every state, (ticks + 1, n, 3)."""
    return np.stack([state.P for state in states])


def state_tangents(states):
    """T of every state, (ticks + 1, n, 3)."""
    return np.stack([state.T for state in states])
