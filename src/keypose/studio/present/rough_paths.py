"""What is seen of a path that a body only follows? The path with its keys, apart from what the body did.

It answers to a hand at once; what the body does on it is shot when the hand rests.
"""

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow
from keypose.studio.present.trail_samples import MOST_SAMPLES
from keypose.studio.preview.key_passing import in_places
from keypose.studio.preview.preview import Film

PER_KEY = 32  # samples from one key to the next


def path_arrays(path: MotionPath) -> dict[str, Floats]:
    """A rough path and its keys in the world, as a `Curve` has them."""
    count = min(PER_KEY * path.segments, MOST_SAMPLES)
    u, key = np.linspace(0.0, path.segments, count + 1), np.arange(float(len(path)))
    keys = key if path.turns is None else path.orientation_at(key)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(path), 1)) if path.turns is None else np.asarray(keys)
    return {
        "path": in_places(np.asarray(path.at(u))),
        "path_u": u,
        "keys": in_places(np.asarray(path.at(key))),
        "key_turns": turns,
        "arrive": in_places(np.asarray(path.arrive)),
        "leave": in_places(np.asarray(path.leave)),
    }


def passed_at(film: Film, name: str, mover: Follow | Reach) -> Floats:
    """About when the target passes each key [s], as it was shot last; before that as if nothing were in the way."""
    path, raced = mover.path, film.raced(name, mover.path)
    if film.take is None or raced is None:
        return np.asarray(path.distance(np.arange(float(len(path))))) / mover.pace
    return np.asarray(film.take.times[np.maximum.accumulate(raced.frame)])
